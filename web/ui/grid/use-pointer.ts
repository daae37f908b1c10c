import { type PointerEvent, type RefObject, useRef } from 'react'
import { type CheckboxDrag, continueCheckboxDrag, startCheckboxDrag } from './checkbox-drag.ts'
import { indexOfRow } from './dom.ts'
import type { Geometry } from './geometry.ts'
import type { Change, GridElements, GridEventProps } from './grid-props.ts'
import { lateParts } from './late.ts'
import { LongPress } from './long-press.ts'
import { EMPTY, union } from './range-set.ts'
import { toggleRow } from './selection.ts'

/** Elements on which no rubber band starts: draggable ones and controls. */
const HELD = '[draggable="true"], a, button, input, [role="columnheader"]'

/** Pointer gestures: rubber band for the mouse, long press and check box drag for touch. */
export function usePointer(props: GridEventProps, geometry: Geometry, elements: GridElements, change: Change) {
  const press = useRef(new LongPress())
  const sweep = useRef<CheckboxDrag>(undefined)
  const touch = useRef(false)
  const bandClick = useRef(false)
  const { state } = props
  const band = useBand(props, geometry, elements, change, bandClick)

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const index = indexOfRow(event.target)
    touch.current = event.pointerType === 'touch'
    bandClick.current = false
    if (!touch.current) return band(event)
    if (index < 0) return
    if (event.target instanceof HTMLInputElement) sweep.current = startCheckboxDrag(state.selected, index)
    else press.current.begin(event, () => change(toggleRow(state, index), 'focus'))
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    press.current.move(event)
    const swept = sweep.current && continueCheckboxDrag(sweep.current, event.clientX, event.clientY)
    if (swept) change({ ...state, selected: swept.selected, focus: swept.index }, 'focus')
  }
  const onPointerUp = (event: PointerEvent<HTMLElement>) => {
    press.current.release(event)
    sweep.current = undefined
  }
  const onPointerCancel = () => {
    press.current.end()
    sweep.current = undefined
  }
  return {
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel },
    isTouch: () => touch.current,
    /** Whether the click that follows has already been handled. */
    swallowsClick: () => press.current.swallowsClick() || bandClick.current,
    swallowsMenu: () => press.current.swallowsMenu(),
  }
}

/** Starts a rubber band, where one may start. */
function useBand(
  props: GridEventProps,
  geometry: Geometry,
  { scroller, body, band }: GridElements,
  change: Change,
  bandClick: RefObject<boolean>,
): (event: PointerEvent<HTMLElement>) => void {
  return event => {
    const held = event.target instanceof Element && event.target.closest(HELD)
    if (event.button !== 0 || held || !scroller.current || !body.current || !band.current) return
    // Beyond the content lies the scroll bar.
    if (event.target === scroller.current) return
    const { state, headerHeight } = props
    const kept = event.ctrlKey || event.metaKey || event.shiftKey ? state.selected : EMPTY
    lateParts()?.drawBand(event.nativeEvent, {
      grid: scroller.current,
      body: body.current,
      band: band.current,
      headerHeight,
      geometry,
      onBand(rows, at) {
        const focus = (at === 'first' ? rows[0] : (rows.at(-1) ?? 1) - 1) ?? state.focus
        const reached = rows.length === 0 ? state.focus : focus
        change({ selected: union(kept, rows), focus: reached, anchor: reached }, 'focus')
      },
      onEnd() {
        bandClick.current = true
      },
    })
  }
}

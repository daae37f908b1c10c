import { type DragEvent, type KeyboardEvent, type MouseEvent, type RefObject, useRef } from 'react'
import { DOUBLE_CLICK_WINDOW } from '../../../shared/limits.ts'
import { isMac } from '../../lib/keyboard.ts'
import { indexOfRow, isControl, moveInsideRow, rowElement } from './dom.ts'
import type { Geometry } from './geometry.ts'
import type { Change, GridElements, GridEventProps } from './grid-props.ts'
import { reactToKey } from './keys.ts'
import { sizeOf } from './range-set.ts'
import { clear, clickRow, focusRow, selectOnly, toggleRow } from './selection.ts'
import { findTyped, isCharacter, NOTHING_TYPED, typeCharacter } from './type-ahead.ts'
import type { FocusMove } from './use-focus-follower.ts'
import { usePointer } from './use-pointer.ts'

const ctrlOf = (event: { metaKey: boolean; ctrlKey: boolean }) => (isMac ? event.metaKey : event.ctrlKey)

/** The grid's event handlers: one set for the whole grid, none per row. */
export function useGridEvents(
  props: GridEventProps,
  geometry: Geometry,
  elements: GridElements,
  wish: RefObject<FocusMove>,
) {
  const grid = elements.scroller
  const change: Change = (next, how) => {
    wish.current = how
    props.onState(next)
  }
  const pointer = usePointer(props, geometry, elements, change)
  const react = useKeys(props, geometry, grid, change)
  const { onClick, endDoubleClick } = useClicks(props, pointer.swallowsClick, change)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    endDoubleClick()
    react(event)
  }
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    // Shift opens the browser's own menu.
    if (event.shiftKey) return
    event.preventDefault()
    if (pointer.swallowsMenu()) return
    const index = indexOfRow(event.target)
    const row = rowElement(grid.current, index)
    const byKey = event.clientX === 0 && event.clientY === 0 && row
    props.onMenu({ index, ...(byKey ? below(row) : { x: event.clientX, y: event.clientY }) })
  }
  /** The click that ends a long press follows no link of the row. */
  const onClickCapture = (event: MouseEvent<HTMLElement>) => {
    const isLink = event.target instanceof Element && event.target.closest('a')
    if (!isLink || !pointer.swallowsClick()) return
    event.preventDefault()
    event.stopPropagation()
  }
  const onDragStart = (event: DragEvent<HTMLElement>) => {
    const index = indexOfRow(event.target)
    // A long press starts a drag in some browsers; here it selects.
    if (index < 0 || pointer.isTouch()) return event.preventDefault()
    props.onDrag?.(event, index)
  }
  return { onKeyDown, onClick, onClickCapture, onContextMenu, onDragStart, ...pointer.handlers }
}

function useKeys(
  props: GridEventProps,
  geometry: Geometry,
  grid: RefObject<HTMLElement | null>,
  change: Change,
): (event: KeyboardEvent<HTMLElement>) => void {
  const typed = useRef(NOTHING_TYPED)
  const { state, count, headerHeight } = props

  /** Returns whether the key was a letter of typeahead. */
  const typeAhead = (key: string, now: number): boolean => {
    if (!isCharacter(key) || count === 0) return false
    const next = typeCharacter(typed.current, key, now)
    if (!next) return false
    typed.current = next
    const found = findTyped(next.text, state.focus, count, props.nameAt)
    if (found !== undefined) change(selectOnly(found), 'reveal')
    return true
  }

  return event => {
    const { key, target } = event
    const inRows = target === grid.current || indexOfRow(target) >= 0
    if (event.defaultPrevented || event.nativeEvent.isComposing || !inRows) return
    if (isControl(target) && (key === 'Enter' || key === ' ')) return
    const held = { shift: event.shiftKey, ctrl: ctrlOf(event), alt: event.altKey }
    const free = !event.ctrlKey && !event.metaKey && !event.altKey
    const inside = free && !geometry.tiles && moveInsideRow(key, target)
    if (inside || (free && typeAhead(key, event.timeStamp))) return event.preventDefault()
    const size = { count, page: linesPerPage(geometry, grid.current, headerHeight), stepFrom: geometry.stepFrom }
    const reaction = reactToKey(state, { key: logicalKey(key, grid.current), ...held }, size)
    if (!reaction) return
    event.preventDefault()
    if ('state' in reaction) change(reaction.state, 'reveal')
    else if (reaction.act === 'up') props.onUp()
    else if (reaction.act === 'look' && props.onLook) props.onLook(state.focus)
    else props.onOpen(state.focus)
  }
}

function linesPerPage(geometry: Geometry, grid: HTMLElement | null, headerHeight: number): number {
  const { scrollTop = 0, clientHeight = 0 } = grid ?? {}
  return geometry.lineAt(scrollTop + clientHeight - headerHeight) - geometry.lineAt(scrollTop)
}

/** The equivalent arrow key in left-to-right text. */
function logicalKey(key: string, grid: HTMLElement | null): string {
  if ((key !== 'ArrowLeft' && key !== 'ArrowRight') || !grid || getComputedStyle(grid).direction === 'ltr') return key
  return key === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft'
}

/** Position of an element's menu: below its start, in viewport pixels. */
function below(element: Element): { x: number; y: number } {
  const { left, right, bottom } = element.getBoundingClientRect()
  return { x: getComputedStyle(element).direction === 'rtl' ? right : left, y: bottom }
}

/** In place of a click that could be the first of a double click. */
const NO_CLICK = { index: -1, at: 0 }

/** Clicks, and what makes the next click a first one: two clicks with a key between them are no double click. */
function useClicks(props: GridEventProps, swallowsClick: () => boolean, change: Change) {
  const last = useRef(NO_CLICK)
  const { state, singleClick, onOpen } = props

  /**
   * Whether this click opens the row: the second of a double click, or any where a single click opens. What the system
   * counts as a double click is one, however slow: users set its speed, and a busy page handles the first click late.
   */
  const opens = (
    before: typeof NO_CLICK,
    index: number,
    { timeStamp: at, detail }: UIEvent,
    touch: boolean,
  ): boolean => {
    const twice = before.index === index && (detail > 1 || at - before.at <= DOUBLE_CLICK_WINDOW)
    if (!twice) last.current = { index, at }
    return twice || singleClick || touch
  }

  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (swallowsClick()) return
    const index = indexOfRow(event.target)
    // Any other click in between makes two clicks no double click.
    const before = last.current
    last.current = NO_CLICK
    if (index < 0) return isBackground(event.target) ? change(clear(state), 'focus') : undefined
    const held = { shift: event.shiftKey, ctrl: ctrlOf(event) }
    const plain = !held.shift && !held.ctrl
    const native = event.nativeEvent
    const touch = 'pointerType' in native && native.pointerType === 'touch'
    const button = menuButton(event.target)
    if (button) {
      props.onMenu({ index, ...below(button) })
    } else if (event.target instanceof HTMLInputElement) {
      change(held.shift ? clickRow(state, index, { shift: true, ctrl: true }) : toggleRow(state, index), 'focus')
    } else if (touch && sizeOf(state.selected) > 0) {
      change(toggleRow(state, index), 'focus')
    } else if (plain && opens(before, index, native, touch)) {
      change(focusRow(state, index), 'focus')
      onOpen(index)
    } else {
      change(clickRow(state, index, held), 'focus')
    }
  }
  const endDoubleClick = () => {
    last.current = NO_CLICK
  }
  return { onClick, endDoubleClick }
}

/** Whether an event is on the background of the grid, outside rows and header. */
function isBackground(target: EventTarget): boolean {
  return target instanceof Element && target.matches('[role="grid"], [role="grid"] > [role="rowgroup"]')
}

/** The menu button of a row, if the event is on it. */
function menuButton(target: EventTarget): Element | null {
  return target instanceof Element ? target.closest('button[aria-haspopup="menu"]') : null
}

import { type KeyboardEvent, type MouseEvent, type PointerEvent, type RefObject, useRef } from 'react'
import { DOUBLE_CLICK_WINDOW } from '../../../shared/limits.ts'
import { isMac } from '../../lib/keyboard.ts'
import { indexOfRow, isControl, moveInsideRow, rowElement } from './dom.ts'
import { reactToKey } from './keys.ts'
import { LongPress } from './long-press.ts'
import { sizeOf } from './range-set.ts'
import { clickRow, focusRow, type GridState, selectOnly, toggleRow } from './selection.ts'
import { findTyped, isCharacter, NOTHING_TYPED, typeCharacter } from './type-ahead.ts'
import type { FocusWish } from './use-focus-follower.ts'

const ctrlOf = (event: { metaKey: boolean; ctrlKey: boolean }) => (isMac ? event.metaKey : event.ctrlKey)

/** What the handlers need to know of a grid, and whom they tell. */
export interface GridEventProps {
  /** Rows without the header. Up to about 440 000 at 40 px: browsers cap the height of an element. */
  count: number
  /** CSS pixels. */
  rowHeight: number
  headerHeight: number
  state: GridState
  onState: (next: GridState) => void
  /** A click opens instead of selecting; Ctrl, Shift and the checkbox still select. */
  singleClick: boolean
  /** What typing letters searches. */
  nameAt: (index: number) => string
  onOpen: (index: number) => void
  onUp: () => void
  /** Where a menu is asked for, in the viewport's pixels; `index` is -1 beside the rows. */
  onMenu: (at: { index: number; x: number; y: number }) => void
}

/** The grid's event handlers: one set for the whole grid, none per row. */
export function useGridEvents(props: GridEventProps, grid: RefObject<HTMLElement | null>, wish: RefObject<FocusWish>) {
  const press = useRef(new LongPress())
  const change = (next: GridState, how: FocusWish) => {
    wish.current = how
    props.onState(next)
  }
  const onKeyDown = useKeys(props, grid, change)
  const onClick = useClicks(props, press, change)
  const onContextMenu = (event: MouseEvent<HTMLElement>) => {
    // Shift keeps the browser's own menu within reach.
    if (event.shiftKey) return
    event.preventDefault()
    if (press.current.swallowsMenu()) return
    const index = indexOfRow(event.target)
    const box = rowElement(grid.current, index)?.getBoundingClientRect()
    const byKey = event.clientX === 0 && event.clientY === 0 && box
    props.onMenu(byKey ? { index, x: box.left, y: box.bottom } : { index, x: event.clientX, y: event.clientY })
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    const index = indexOfRow(event.target)
    if (event.pointerType !== 'touch' || index < 0) return
    press.current.begin(event, () => change(toggleRow(props.state, index), 'focus'))
  }
  return {
    onKeyDown,
    onClick,
    onContextMenu,
    onPointerDown,
    onPointerMove: (event: PointerEvent<HTMLElement>) => press.current.move(event),
    onPointerUp: () => press.current.end(),
    onPointerCancel: () => press.current.end(),
  }
}

type Change = (next: GridState, how: FocusWish) => void

function useKeys(props: GridEventProps, grid: RefObject<HTMLElement | null>, change: Change) {
  const typed = useRef(NOTHING_TYPED)
  const { state, count, rowHeight, headerHeight } = props

  /** Answers whether the key was a letter of a name. */
  const typeAhead = (key: string, now: number): boolean => {
    if (!isCharacter(key) || count === 0) return false
    const next = typeCharacter(typed.current, key, now)
    if (!next) return false
    typed.current = next
    const found = findTyped(next.text, state.focus, count, props.nameAt)
    if (found !== undefined) change(selectOnly(found), 'reveal')
    return true
  }

  return (event: KeyboardEvent<HTMLElement>) => {
    const { key, target } = event
    const inRows = target === grid.current || indexOfRow(target) >= 0
    if (event.defaultPrevented || event.nativeEvent.isComposing || !inRows) return
    if (isControl(target) && (key === 'Enter' || key === ' ')) return
    const held = { shift: event.shiftKey, ctrl: ctrlOf(event), alt: event.altKey }
    const free = !event.ctrlKey && !event.metaKey && !event.altKey
    if (free && (moveInsideRow(key, target) || typeAhead(key, event.timeStamp))) return event.preventDefault()
    const page = Math.floor(((grid.current?.clientHeight ?? 0) - headerHeight) / rowHeight)
    const reaction = reactToKey(state, { key, ...held }, { count, page })
    if (!reaction) return
    event.preventDefault()
    if ('state' in reaction) change(reaction.state, 'reveal')
    else if (reaction.act === 'open') props.onOpen(state.focus)
    else props.onUp()
  }
}

function useClicks(props: GridEventProps, press: RefObject<LongPress>, change: Change) {
  const last = useRef({ index: -1, at: 0 })
  const { state, singleClick, onOpen } = props

  /** Whether this click opens the row: the second of two, or the first where one is enough. */
  const opens = (index: number, at: number, touch: boolean): boolean => {
    const twice = last.current.index === index && at - last.current.at <= DOUBLE_CLICK_WINDOW
    last.current = twice ? { index: -1, at: 0 } : { index, at }
    return twice || singleClick || touch
  }

  return (event: MouseEvent<HTMLElement>) => {
    const index = indexOfRow(event.target)
    if (index < 0 || press.current.swallowsClick()) return
    const held = { shift: event.shiftKey, ctrl: ctrlOf(event) }
    const plain = !held.shift && !held.ctrl
    const native = event.nativeEvent
    const touch = 'pointerType' in native && native.pointerType === 'touch'
    if (event.target instanceof HTMLInputElement) {
      change(held.shift ? clickRow(state, index, { shift: true, ctrl: true }) : toggleRow(state, index), 'focus')
    } else if (touch && sizeOf(state.selected) > 0) {
      change(toggleRow(state, index), 'focus')
    } else if (plain && opens(index, event.timeStamp, touch)) {
      change(focusRow(state, index), 'focus')
      onOpen(index)
    } else {
      change(clickRow(state, index, held), 'focus')
    }
  }
}

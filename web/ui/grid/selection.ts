import { addRange, between, EMPTY, has, only, type RangeSet, remap, sizeOf, toggle } from './range-set.ts'

/** Focus and selection of a grid; immutable. */
export interface GridState {
  selected: RangeSet
  /** The one row in the tab order; 0 while the grid is empty. */
  focus: number
  /** Anchor of the range that Shift extends. */
  anchor: number
}

export const INITIAL: GridState = Object.freeze({ selected: EMPTY, focus: 0, anchor: 0 })

export interface Modifiers {
  shift: boolean
  /** Ctrl, or ⌘ on macOS. */
  ctrl: boolean
}

/** Focuses and selects only this row. */
export function selectOnly(index: number): GridState {
  return { selected: only(index), focus: index, anchor: index }
}

/** Focuses a row and leaves the selection alone. */
export function focusRow(state: GridState, index: number): GridState {
  return { ...state, focus: index }
}

/** Toggles the row. */
export function toggleRow(state: GridState, index: number): GridState {
  return { selected: toggle(state.selected, index), focus: index, anchor: index }
}

/** Selects from the anchor to this row; `keep` preserves the rest of the selection. */
export function extendTo(state: GridState, index: number, keep = false): GridState {
  const range = between(state.anchor, index)
  const [start = 0, end = 0] = range
  return { ...state, selected: keep ? addRange(state.selected, start, end) : range, focus: index }
}

/** A click on a row: selects, with Ctrl toggles, with Shift selects a range. */
export function clickRow(state: GridState, index: number, { shift, ctrl }: Modifiers): GridState {
  if (shift) return extendTo(state, index, ctrl)
  return ctrl ? toggleRow(state, index) : selectOnly(index)
}

/** Selects the row unless it is selected: on opening a context menu. */
export function includeRow(state: GridState, index: number): GridState {
  return has(state.selected, index) ? focusRow(state, index) : selectOnly(index)
}

/** Clears the selection; the focus stays. */
export function clear(state: GridState): GridState {
  return sizeOf(state.selected) === 0 ? state : { ...state, selected: EMPTY, anchor: state.focus }
}

/**
 * The state after the rows changed: selection, focus and anchor follow their rows. If the focused row is gone, the next
 * remaining one takes over, else the previous one.
 */
export function carryOver<T>(
  state: GridState,
  before: readonly T[],
  after: readonly T[],
  keyOf: (row: T) => string,
): GridState {
  if (before === after) return state
  const position = new Map(after.map((row, index) => [keyOf(row), index]))
  const find = (index: number) => {
    const row = before[index]
    return row === undefined ? undefined : position.get(keyOf(row))
  }
  const focus = find(state.focus) ?? nearest(state.focus, before.length, find) ?? 0
  return { selected: remap(state.selected, before, after, keyOf), focus, anchor: find(state.anchor) ?? focus }
}

function nearest(index: number, count: number, find: (index: number) => number | undefined): number | undefined {
  for (let at = index + 1; at < count; at += 1) {
    const found = find(at)
    if (found !== undefined) return found
  }
  for (let at = Math.min(index, count) - 1; at >= 0; at -= 1) {
    const found = find(at)
    if (found !== undefined) return found
  }
  return undefined
}

import { clickRow, extendTo, focusRow, type GridState, type Modifiers, selectOnly, toggleRow } from './selection.ts'

/** A key press, reduced to what the grid looks at. */
export interface GridKey extends Modifiers {
  /** `KeyboardEvent.key`. */
  key: string
  alt: boolean
}

export interface GridSize {
  /** Rows in all. */
  count: number
  /** Rows that fit on the screen. */
  page: number
}

/** What a key does: nothing of the grid's (`undefined`), a new state, or something for the grid's owner. */
export type GridReaction = { state: GridState } | { act: 'open' | 'up' } | undefined

/** Row a movement key leads to. */
function targetOf(key: string, focus: number, { count, page }: GridSize): number | undefined {
  const last = count - 1
  const step = Math.max(1, page - 1)
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, focus + 1)
    case 'ArrowUp':
      return Math.max(0, focus - 1)
    case 'PageDown':
      return Math.min(last, focus + step)
    case 'PageUp':
      return Math.max(0, focus - step)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}

/**
 * The grid's keys: arrows, Home, End, Page Up and Page Down move focus and selection, with Shift they extend it, with
 * Ctrl they move the focus alone. Space toggles, Shift+Space extends, Enter opens, Backspace and Alt+↑ go up.
 */
export function reactToKey(state: GridState, pressed: GridKey, size: GridSize): GridReaction {
  const { key, shift, ctrl, alt } = pressed
  if (alt) return key === 'ArrowUp' && !shift && !ctrl ? { act: 'up' } : undefined
  if (key === 'Backspace') return shift || ctrl ? undefined : { act: 'up' }
  if (size.count === 0) return undefined
  if (key === 'Enter') return shift || ctrl ? undefined : { act: 'open' }
  if (key === ' ') return { state: shift ? clickRow(state, state.focus, pressed) : toggleRow(state, state.focus) }
  const target = targetOf(key, state.focus, size)
  if (target === undefined) return undefined
  if (shift) return { state: extendTo(state, target, ctrl) }
  return { state: ctrl ? focusRow(state, target) : selectOnly(target) }
}

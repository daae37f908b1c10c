import { clickRow, extendTo, focusRow, type GridState, type Modifiers, selectOnly, toggleRow } from './selection.ts'

/** A key press, reduced to what the grid reads. */
export interface GridKey extends Modifiers {
  /** `KeyboardEvent.key`; inline arrows as in a left-to-right text. */
  key: string
  alt: boolean
}

export interface GridSize {
  /** Number of rows. */
  count: number
  /** Lines per screen. */
  page: number
  /** The row reached by moving some lines down, or up where negative. */
  stepFrom(index: number, by: number): number
}

/** The effect of a key: none (`undefined`), a new state, or a command for the grid's owner. */
export type GridReaction = { state: GridState } | { act: 'open' | 'look' | 'up' } | undefined

/** Target row of a movement key. */
function targetOf(key: string, focus: number, { count, page, stepFrom }: GridSize): number | undefined {
  const last = count - 1
  const step = Math.max(1, page - 1)
  switch (key) {
    case 'ArrowDown':
      return stepFrom(focus, 1)
    case 'ArrowUp':
      return stepFrom(focus, -1)
    case 'ArrowRight':
      return Math.min(last, focus + 1)
    case 'ArrowLeft':
      return Math.max(0, focus - 1)
    case 'PageDown':
      return stepFrom(focus, step)
    case 'PageUp':
      return stepFrom(focus, -step)
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
 * Ctrl they move the focus alone. Ctrl+Space toggles, Shift+Space extends, Space previews, Enter opens, Backspace and
 * Alt+↑ go up.
 */
export function reactToKey(state: GridState, pressed: GridKey, size: GridSize): GridReaction {
  const { key, shift, ctrl, alt } = pressed
  if (alt) return key === 'ArrowUp' && !shift && !ctrl ? { act: 'up' } : undefined
  if (key === 'Backspace') return shift || ctrl ? undefined : { act: 'up' }
  if (size.count === 0) return undefined
  if (key === 'Enter') return shift || ctrl ? undefined : { act: 'open' }
  if (key === ' ') return reactToSpace(state, pressed)
  const target = targetOf(key, state.focus, size)
  if (target === undefined) return undefined
  if (shift) return { state: extendTo(state, target, ctrl) }
  return { state: ctrl ? focusRow(state, target) : selectOnly(target) }
}

function reactToSpace(state: GridState, pressed: GridKey): GridReaction {
  if (pressed.shift) return { state: clickRow(state, state.focus, pressed) }
  return pressed.ctrl ? { state: toggleRow(state, state.focus) } : { act: 'look' }
}

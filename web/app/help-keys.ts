import type { MessageKey } from '../lib/i18n/index.ts'

/** Equivalent combinations, or the two of a pair. */
export interface KeyRow {
  keys: readonly string[]
  label: MessageKey & `${string}.${string}`
}

/** Keys that are not actions, by scope. */
export const ANYWHERE: readonly KeyRow[] = [
  { keys: ['F6'], label: 'keys.nextRegion' },
  { keys: ['Shift+F6'], label: 'keys.previousRegion' },
  { keys: ['Alt+ArrowLeft', 'Alt+ArrowRight'], label: 'keys.history' },
]

export const MOUSE: readonly KeyRow[] = [
  { keys: ['Click'], label: 'keys.select' },
  { keys: ['Ctrl+Click'], label: 'keys.toggle' },
  { keys: ['Shift+Click'], label: 'keys.range' },
  { keys: ['DoubleClick'], label: 'keys.open' },
]

export const AMONG_FILES: readonly KeyRow[] = [
  { keys: ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'], label: 'keys.move' },
  { keys: ['Home', 'End'], label: 'keys.edges' },
  { keys: ['PageUp', 'PageDown'], label: 'keys.pages' },
  { keys: ['Shift+ArrowUp', 'Shift+ArrowDown'], label: 'keys.extend' },
  { keys: ['Ctrl+ArrowUp', 'Ctrl+ArrowDown'], label: 'keys.moveFocus' },
  { keys: ['Ctrl+Space'], label: 'keys.toggle' },
  { keys: ['Space'], label: 'keys.look' },
  { keys: ['Enter'], label: 'keys.open' },
  { keys: ['Backspace'], label: 'keys.goUp' },
  { keys: ['Ctrl+V'], label: 'keys.pasteFiles' },
  { keys: ['Letters'], label: 'keys.typeAhead' },
  { keys: ['Shift+F10', 'ContextMenu'], label: 'keys.menu' },
  { keys: ['?'], label: 'nav.help' },
]

export const DIALOGS: readonly KeyRow[] = [
  { keys: ['Enter'], label: 'keys.confirm' },
  { keys: ['Escape'], label: 'keys.close' },
]

/** In a preview, in addition to its actions. */
export const PREVIEW: readonly KeyRow[] = [
  { keys: ['Enter'], label: 'keys.next' },
  { keys: ['Space'], label: 'keys.endLook' },
]

export const SHELL: readonly KeyRow[] = [{ keys: ['ArrowUp', 'ArrowDown'], label: 'keys.shellHistory' }]

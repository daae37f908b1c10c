import type { Action } from '../../lib/actions.ts'
import { viewerAction } from '../../lib/viewer-commands.ts'
import { ArrowLeft, Download, ListOrdered, Save, Search, TextWrap } from '../../ui/icons.ts'

const LOOKS = {
  save: { labelKey: 'fields.save', icon: Save, shortcut: 'Ctrl+S' },
  find: { labelKey: 'actions.find', icon: Search, shortcut: 'Ctrl+F' },
  goToLine: { labelKey: 'actions.goToLine', icon: ListOrdered, shortcut: 'Alt+G' },
  wrap: { labelKey: 'actions.wrap', icon: TextWrap, shortcut: 'Alt+Z' },
  download: { labelKey: 'common.download', icon: Download },
  leave: { labelKey: 'actions.back', icon: ArrowLeft, shortcut: 'Escape' },
} as const

/** The commands that the editor may offer. */
export type EditorCommands = Partial<Record<keyof typeof LOOKS, () => void>>

/** The actions on an open text. */
export const editorActions: readonly Action[] = Object.entries(LOOKS).map(([name, look]) =>
  viewerAction(name, 'editor', look),
)

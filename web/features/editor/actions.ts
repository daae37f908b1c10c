import type { Action, LayerCommands } from '../../lib/actions.ts'
import type { MessageKey } from '../../lib/i18n/index.ts'
import { ArrowLeft, Download, ListOrdered, Save, Search, TextWrap } from '../../ui/icons.ts'

/** The editor's command of this name, if available. */
function command(name: keyof LayerCommands, labelKey: MessageKey, icon: Action['icon'], shortcut?: string): Action {
  return {
    id: `editor.${name}`,
    labelKey,
    icon,
    ...(shortcut ? { shortcut } : {}),
    scope: 'editor',
    visible: ({ layer }) => layer?.[name] !== undefined,
    run: ({ layer }) => layer?.[name]?.(0),
  }
}

/** The actions on an open text. */
export const editorActions: readonly Action[] = [
  command('save', 'fields.save', Save, 'Ctrl+S'),
  command('find', 'actions.find', Search, 'Ctrl+F'),
  command('goToLine', 'actions.goToLine', ListOrdered, 'Alt+G'),
  command('wrap', 'actions.wrap', TextWrap, 'Alt+Z'),
  command('download', 'common.download', Download),
  command('leave', 'actions.back', ArrowLeft, 'Escape'),
]

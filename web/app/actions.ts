import { fileActions } from '../features/files/actions.ts'
import { shareActions } from '../features/shares/actions.ts'
import { uploadActions } from '../features/uploads/actions.ts'
import { viewActions } from '../features/files/view-actions.ts'
import type { Action } from '../lib/actions.ts'
import { openPrompt } from '../lib/prompts.ts'
import { CircleHelp } from '../ui/icons.ts'

const help: Action = {
  id: 'help',
  labelKey: 'nav.help',
  icon: CircleHelp,
  shortcut: 'F1',
  scope: 'global',
  visible: () => true,
  run: () => openPrompt('help', {}),
}

/** Everything a person can do, in the order menus and the help show it. */
export const ACTIONS: readonly Action[] = [...fileActions, ...viewActions, ...shareActions, ...uploadActions, help]

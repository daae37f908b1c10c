import { fileActions } from '../features/files/actions.ts'
import { viewActions } from '../features/files/view-actions.ts'
import { searchActions } from '../features/search/actions.ts'
import { shareActions } from '../features/shares/actions.ts'
import { terminalActions } from '../features/terminal/actions.ts'
import { uploadActions } from '../features/uploads/actions.ts'
import type { Action } from '../lib/actions.ts'
import { openPrompt } from '../lib/prompts.ts'
import { CircleHelp, Command } from '../ui/icons.ts'

const help: Action = {
  id: 'help',
  labelKey: 'nav.help',
  icon: CircleHelp,
  shortcut: 'F1',
  scope: 'global',
  visible: () => true,
  run: () => openPrompt('help', {}),
}

/** Menus show what is used most first: sharing stands beside downloading. */
const itemActions = fileActions.flatMap(action => (action.id === 'download' ? [action, ...shareActions] : [action]))

const palette: Action = {
  id: 'palette',
  labelKey: 'palette.title',
  icon: Command,
  shortcut: 'Ctrl+K',
  scope: 'global',
  visible: ({ user }) => user !== null,
  run: () => openPrompt('palette', {}),
}

/** Everything a person can do, in the order menus and the help show it. */
export const ACTIONS: readonly Action[] = [
  ...itemActions,
  ...viewActions,
  ...searchActions,
  ...uploadActions,
  ...terminalActions,
  palette,
  help,
]

import { sizesAction } from '../features/disk-usage/actions.ts'
import { fileActions } from '../features/files/actions.ts'
import { viewActions } from '../features/files/listing/view-actions.ts'
import { secondPane } from '../features/files/panes/actions.ts'
import { historyAction } from '../features/history/actions.ts'
import { verifyAction } from '../features/integrity/actions.ts'
import { markPlaces, starActions, tagsAction } from '../features/marks/actions.ts'
import { foundActions, searchActions } from '../features/search/actions.ts'
import { requestFiles, shareActions } from '../features/shares/actions.ts'
import { snapshotActions } from '../features/snapshots/actions.ts'
import { terminalActions } from '../features/terminal/actions.ts'
import { trashAction } from '../features/trash/actions.ts'
import { uploadActions } from '../features/uploads/actions.ts'
import type { Action } from '../lib/actions.ts'
import { openPrompt } from '../lib/prompts.ts'
import { Bell, CircleHelp, Command } from '../ui/late-icons.ts'

const help: Action = {
  id: 'help',
  labelKey: 'nav.help',
  icon: CircleHelp,
  shortcut: 'F1',
  scope: 'global',
  visible: () => true,
  run: () => openPrompt('help', {}),
}

/** Related actions that share a submenu. */
const SUBMENUS: Partial<Record<string, readonly Action[]>> = { open: foundActions, download: shareActions }

const itemActions = fileActions.flatMap(action => [action, ...(SUBMENUS[action.id] ?? [])])

const palette: Action = {
  id: 'palette',
  labelKey: 'palette.title',
  icon: Command,
  shortcut: 'Ctrl+K',
  scope: 'global',
  visible: ({ user }) => user !== null,
  run: () => openPrompt('palette', {}),
}

const notices: Action = {
  id: 'notices',
  labelKey: 'nav.notices',
  icon: Bell,
  scope: 'global',
  visible: ({ user }) => user !== null,
  run: () => openPrompt('notices', {}),
}

/** Every user action, in the order of menus and the help. */
export const ACTIONS: readonly Action[] = [
  ...itemActions,
  ...starActions,
  tagsAction,
  verifyAction,
  sizesAction,
  ...viewActions,
  secondPane,
  ...searchActions,
  ...uploadActions,
  requestFiles,
  ...terminalActions,
  ...markPlaces,
  ...snapshotActions,
  trashAction,
  historyAction,
  notices,
  palette,
  help,
]

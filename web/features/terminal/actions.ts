import type { Action } from '../../lib/actions.ts'
import { SquareTerminal } from '../../ui/icons.ts'
import { mayRunCommands, toggleTerminal } from './store.ts'

const terminal: Action = {
  id: 'terminal',
  labelKey: 'nav.terminal',
  icon: SquareTerminal,
  scope: 'global',
  visible: ({ user }) => mayRunCommands(user),
  run: toggleTerminal,
}

export const terminalActions: readonly Action[] = [terminal]

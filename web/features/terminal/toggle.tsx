import { t } from '../../lib/i18n/index.ts'
import { useSession } from '../../lib/session.ts'
import { IconButton } from '../../ui/button.tsx'
import { SquareTerminal } from '../../ui/icons.ts'
import { mayRunCommands, toggleTerminal, useTerminalOpen } from './store.ts'

/** Toggles the terminal; hidden without the permission. */
export function TerminalToggle() {
  const { user } = useSession()
  const open = useTerminalOpen()
  if (!mayRunCommands(user)) return null
  return (
    <IconButton label={t('nav.terminal')} aria-expanded={open} onClick={toggleTerminal}>
      <SquareTerminal size={18} aria-hidden />
    </IconButton>
  )
}

import { Suspense } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { lazyTool } from '../../lib/lazy.ts'
import { useSession } from '../../lib/session.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { mayRunCommands, useTerminalOpen } from './store.ts'

const Panel = lazyTool(() => import('./panel.tsx'))

/** The terminal, while it is open; docked below the content. */
export function TerminalSlot() {
  const { user } = useSession()
  const open = useTerminalOpen()
  if (!open || !mayRunCommands(user)) return null
  return (
    <Suspense fallback={<Spinner label={t('common.loading')} />}>
      <Panel />
    </Suspense>
  )
}

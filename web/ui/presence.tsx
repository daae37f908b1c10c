import { Suspense, useEffect, useId } from 'react'
import { lazySignIn } from '../lib/lazy.ts'
import { hostPresence, presenceAsked, presenceHosts } from '../lib/presence.ts'
import { useStore } from '../lib/store.ts'

const PresenceDialog = lazySignIn(() => import('./presence-dialog.tsx'))

/**
 * Where a form has sensitive calls: asks for a confirmation when the server demands one, in a dialog within that of the
 * form. The call is then repeated.
 */
export function Presence() {
  const id = useId()
  const settle = useStore(presenceAsked)
  const isTop = useStore(presenceHosts).at(-1) === id
  useEffect(() => hostPresence(id), [id])
  if (!settle || !isTop) return null
  return (
    <Suspense fallback={null}>
      <PresenceDialog onDone={settle} />
    </Suspense>
  )
}

import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../../lib/lazy.ts'
import { useSession } from '../../lib/session.ts'

const Panel = lazyPart(() => import('./panel.tsx'))

/** Milliseconds after which the jobs of earlier visits are asked for: what is on the screen comes first. */
const DELAY = 1500

/** Shows the jobs of whoever is logged in, once the page has come to rest. */
export function JobsHost() {
  const { user } = useSession()
  const [rested, setRested] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setRested(true), DELAY)
    return () => clearTimeout(timer)
  }, [])
  if (!rested || !user) return null
  return (
    <Suspense>
      <Panel key={user.id} />
    </Suspense>
  )
}

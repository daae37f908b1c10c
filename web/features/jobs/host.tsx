import { type ComponentType, useEffect, useState } from 'react'
import { loadChunk } from '../../lib/chunk.ts'
import { useSession } from '../../lib/session.ts'

/** Delay in milliseconds before earlier jobs are loaded: the visible page comes first. */
const DELAY = 1500

/** Shows the user's jobs, once the page is idle. The page works without this panel. */
export function JobsHost() {
  const { user } = useSession()
  const [panel, setPanel] = useState<{ Panel: ComponentType }>()
  useEffect(() => {
    const load = async () => setPanel({ Panel: (await loadChunk(() => import('./panel.tsx'))).default })
    const timer = setTimeout(() => void load().catch(() => undefined), DELAY)
    return () => clearTimeout(timer)
  }, [])
  return panel && user ? <panel.Panel key={user.id} /> : null
}

import { type ComponentType, useEffect, useState } from 'react'
import { loadChunk } from '../../lib/chunk.ts'
import { useSession } from '../../lib/session.ts'

/** Milliseconds after which the jobs of earlier visits are asked for: what is on the screen comes first. */
const DELAY = 1500

/** Shows the jobs of whoever is logged in, once the page has come to rest. Without its panel the page goes on. */
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

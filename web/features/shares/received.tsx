import { useEffect, useState } from 'react'
import type { OwnMount } from '../../../shared/api/mounts.ts'
import { pageConfig } from '../../lib/config.ts'
import { lazyLinks } from '../../lib/lazy.ts'
import { useQuery } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { receivedQuery, reloadReceived } from '../files/api/grants.ts'
import { onFoldersChanged } from '../files/api/list.ts'
import { ownMountsQuery, reloadOwnMounts } from '../files/api/own-mounts.ts'

const SharedEntry = lazyLinks(() => import('./shared-entry.tsx'))

/** Milliseconds before it is asked for: the visible page comes first. */
const DELAY = 400

const NONE: readonly OwnMount[] = []

function reload(): void {
  void reloadReceived()
  if (pageConfig.Mounts) void reloadOwnMounts()
}

/** Finds out what others share with the user, and which folders of other roots the user has; shows nothing itself. */
export default function Received() {
  const { user } = useSession()
  const [isLater, setIsLater] = useState(false)
  const enabled = user !== null && isLater
  const { data } = useQuery({ ...receivedQuery, enabled })
  const { data: mounts = NONE } = useQuery({ ...ownMountsQuery, enabled: enabled && pageConfig.Mounts })
  useEffect(() => {
    const timer = setTimeout(() => setIsLater(true), DELAY)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => onFoldersChanged(reload), [])
  if (user === null || !data || (data.folder === null && mounts.length === 0)) return null
  return (
    <LazyBoundary>
      <SharedEntry folder={data.folder} items={data.items} mounts={mounts} />
    </LazyBoundary>
  )
}

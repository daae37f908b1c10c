import { useEffect, useState } from 'react'
import { lazyLinks } from '../../lib/lazy.ts'
import { useQuery } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { receivedQuery, reloadReceived } from '../files/api/grants.ts'
import { onFoldersChanged } from '../files/api/list.ts'

const SharedEntry = lazyLinks(() => import('./shared-entry.tsx'))

/** Milliseconds before it is asked for: the visible page comes first. */
const DELAY = 400

/** Finds out what others share with the user; shows nothing itself. */
export default function Received() {
  const { user } = useSession()
  const [isLater, setIsLater] = useState(false)
  const { data } = useQuery({ ...receivedQuery, enabled: user !== null && isLater })
  useEffect(() => {
    const timer = setTimeout(() => setIsLater(true), DELAY)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => onFoldersChanged(() => void reloadReceived()), [])
  if (user === null || data?.folder == null) return null
  return (
    <LazyBoundary>
      <SharedEntry folder={data.folder} items={data.items} />
    </LazyBoundary>
  )
}

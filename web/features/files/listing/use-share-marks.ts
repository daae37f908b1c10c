import { useEffect } from 'react'
import { isExpired } from '../../../../shared/expiry.ts'
import { parsePath } from '../../../../shared/path.ts'
import { placesStore } from '../../../lib/other-places.ts'
import { queryClient, useQuery } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { createStore, useStore } from '../../../lib/store.ts'
import { onFoldersChanged } from '../api/list.ts'
import { allLinksQuery } from '../api/share-links.ts'

/** Keeps the set of shared paths current while the component is mounted. */
export function useShareMarks(): void {
  const { user } = useSession()
  const places = useStore(placesStore)
  const mayShare = user !== null && (user.perm.share || places?.sharesLinks === true)
  const { data } = useQuery({ ...allLinksQuery, enabled: mayShare })
  useEffect(() => {
    const own = data?.filter(link => link.userID === user?.id && !isExpired(link.expire, Date.now() / 1000)) ?? []
    sharedStore.set(new Set(own.map(({ path }) => parsePath(path))))
    return () => sharedStore.set(new Set())
  }, [data, user?.id])
  useEffect(() => {
    // Deleting or renaming an item changes its share links.
    if (mayShare) return onFoldersChanged(() => void queryClient.fetchQuery(allLinksQuery).catch(() => undefined))
  }, [mayShare])
}

/** Paths that the user's own share links lead to, as far as loaded. */
export const sharedStore = createStore<ReadonlySet<string>>(new Set())

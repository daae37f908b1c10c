import { useEffect } from 'react'
import type { ShareLink } from '../../../../shared/api/shares.ts'
import { parsePath } from '../../../../shared/path.ts'
import { queryClient, useQuery } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { onFoldersChanged } from '../api/list.ts'
import { allLinksQuery } from '../api/share-links.ts'
import { sharedStore } from './shared-store.ts'

/** Keeps the set of shared paths current while the component is mounted. */
export function useShareMarks(): void {
  const { user } = useSession()
  const mayShare = user?.perm.share ?? false
  const { data } = useQuery({ ...allLinksQuery, enabled: mayShare })
  useEffect(() => {
    const own = data?.filter(link => link.userID === user?.id && !isOver(link)) ?? []
    sharedStore.set(new Set(own.map(({ path }) => parsePath(path))))
    return () => sharedStore.set(new Set())
  }, [data, user?.id])
  useEffect(() => {
    // Deleting or renaming an item changes its share links.
    if (mayShare) return onFoldersChanged(() => void queryClient.fetchQuery(allLinksQuery).catch(() => undefined))
  }, [mayShare])
}

const isOver = ({ expire }: ShareLink) => expire > 0 && expire * 1000 <= Date.now()

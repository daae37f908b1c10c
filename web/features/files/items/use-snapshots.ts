import { useState } from 'react'
import type { SnapshotItem } from '../../../../shared/api/snapshots.ts'
import { errorText } from '../../../lib/error-text.ts'
import { notify } from '../../../lib/notices.ts'
import { useQuery } from '../../../lib/query.ts'
import { fetchSnapshots, snapshotsQuery } from '../api/snapshots.ts'

/** The snapshots of an entry, the newest first. */
export interface Snapshots {
  items: readonly SnapshotItem[]
  /** Whether older ones were not searched. */
  more: boolean
  error: Error | null
  isLoading: boolean
  reload: () => void
  loadMore: () => Promise<void>
}

/** @param path of a file or folder */
export function useSnapshots(path: string): Snapshots {
  const { data, error, refetch } = useQuery(snapshotsQuery(path))
  const [older, setOlder] = useState<{ items: readonly SnapshotItem[]; more: boolean }>()
  const items = [...(data?.items ?? []), ...(older?.items ?? [])]
  return {
    items,
    more: older?.more ?? data?.more ?? false,
    error: data ? null : error,
    isLoading: data === undefined,
    reload: () => void refetch(),
    async loadMore() {
      const last = items.at(-1)
      if (!last) return
      try {
        const page = await fetchSnapshots(path, last.id)
        setOlder({ items: [...(older?.items ?? []), ...page.items], more: page.more })
      } catch (thrown) {
        notify('error', errorText(thrown))
      }
    },
  }
}

import { useEffect, useMemo, useState } from 'react'
import type { FolderResource, ResourceItem } from '../../../../../shared/api/resources.ts'
import { type Sorting, sortItems } from '../../../../../shared/sorting.ts'
import { loadChunk } from '../../../../lib/chunk.ts'
import { useStore } from '../../../../lib/store.ts'
import { kindKey } from '../../items/kind-rank.ts'
import { photoDatesStore } from '../../items/photo-dates.ts'

/** Number of entries above which sorting would block the page for more than 50 ms. */
const LARGE_LIST = 20_000

export interface SortedRows {
  /** While a large folder is being sorted: its rows in the previous order. */
  rows: readonly ResourceItem[]
  /** The order of `rows`. */
  sorting: Sorting
  /** Whether sorting is under way. */
  pending: boolean
}

const same = (a: Sorting, b: Sorting) => a.by === b.by && a.asc === b.asc

interface Sorted {
  folder: FolderResource
  sorting: Sorting
  rows: readonly ResourceItem[]
}

/**
 * The folder's entries in the requested order. Free when the server has already sorted them so.
 * @param gallery whether the order by time goes by the dates of photos
 */
export function useSortedRows(folder: FolderResource, wanted: Sorting, gallery = false): SortedRows {
  const { by, asc } = wanted
  const { items } = folder
  const known = useStore(photoDatesStore)
  const dates = gallery && by === 'modified' ? known : undefined
  const now = useMemo(() => {
    if (dates) return sortItems(items, { by, asc }, dates.of)
    const isShort = items.length < LARGE_LIST
    // The server knows the kinds by extension alone.
    if (same(folder.sorting, { by, asc }) && !(by === 'kind' && isShort)) return items
    return isShort ? sortItems(items, { by, asc }, kindKey({ by })) : undefined
  }, [folder.sorting, items, by, asc, dates])
  const [later, setLater] = useState<Sorted>()

  useEffect(() => {
    if (now) return
    let current = true
    void sortLater(folder.items, { by, asc }).then(rows => {
      if (current) setLater({ folder, sorting: { by, asc }, rows })
    })
    return () => {
      current = false
    }
  }, [now, folder, by, asc])

  if (now) return { rows: now, sorting: wanted, pending: false }
  if (later?.folder !== folder) return { rows: items, sorting: folder.sorting, pending: true }
  return { rows: later.rows, sorting: later.sorting, pending: !same(later.sorting, wanted) }
}

/** Sorts in a worker; on the page if its code cannot be loaded. */
async function sortLater(items: readonly ResourceItem[], sorting: Sorting): Promise<ResourceItem[]> {
  const loaded = await loadChunk(() => import('./sort-large.ts')).catch(() => undefined)
  return loaded ? loaded.sortLarge(items, sorting) : sortItems(items, sorting)
}

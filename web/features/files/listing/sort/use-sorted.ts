import { useEffect, useMemo, useState } from 'react'
import type { FolderResource, ResourceItem } from '../../../../../shared/api/resources.ts'
import { type Sorting, sortItems } from '../../../../../shared/sorting.ts'
import { loadChunk } from '../../../../lib/chunk.ts'
import { useStore } from '../../../../lib/store.ts'
import { folderSizesStore } from '../../items/folder-sizes.ts'
import { photoDatesStore } from '../../items/photo-dates.ts'
import { type SortKey, sortKey } from '../../items/sort-key.ts'

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
  const sizes = useStore(folderSizesStore)
  const sizesHere = by === 'size' ? sizes : undefined
  const key = useMemo(() => sortKey({ by }, items, sizesHere), [by, items, sizesHere])
  const now = useMemo(() => {
    if (dates) return sortItems(items, { by, asc }, dates.of)
    const isShort = items.length < LARGE_LIST
    // The server knows the kinds by extension alone.
    if (same(folder.sorting, { by, asc }) && !(key && (isShort || by === 'size'))) return items
    return isShort ? sortItems(items, { by, asc }, key) : undefined
  }, [folder.sorting, items, by, asc, dates, key])
  const [later, setLater] = useState<Sorted>()

  useEffect(() => {
    if (now) return
    let current = true
    void sortLater(folder.items, { by, asc }, by === 'size' ? key : undefined).then(rows => {
      if (current) setLater({ folder, sorting: { by, asc }, rows })
    })
    return () => {
      current = false
    }
  }, [now, folder, by, asc, key])

  if (now) return { rows: now, sorting: wanted, pending: false }
  if (later?.folder !== folder) return { rows: items, sorting: folder.sorting, pending: true }
  return { rows: later.rows, sorting: later.sorting, pending: !same(later.sorting, wanted) }
}

/** Sorts in a worker; on the page if its code cannot be loaded. */
async function sortLater(items: readonly ResourceItem[], sorting: Sorting, sizeOf?: SortKey): Promise<ResourceItem[]> {
  const loaded = await loadChunk(() => import('./sort-large.ts')).catch(() => undefined)
  return loaded ? loaded.sortLarge(items, sorting, sizeOf) : sortItems(items, sorting, sizeOf)
}

import { useEffect } from 'react'
import type { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { parentOf, parsePath } from '../../../shared/path.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { apiUrl } from '../../lib/api.ts'
import { useQuery } from '../../lib/query.ts'
import { useSortedRows } from '../files/listing/sort/use-sorted.ts'
import { publicPreview } from './api/addresses.ts'
import { sharedQuery } from './api/share.ts'
import type { Link } from './link.ts'

/** Until the folder has loaded. */
const NOTHING: FolderResource = {
  ...{ path: '/', name: '', size: 0, extension: '', modified: '', mode: 0, isDir: true, isSymlink: false, type: '' },
  ...{ items: [], numDirs: 0, numFiles: 0, sorting: DEFAULT_SORTING },
}

/** A file's place among the files of its shared folder. */
export interface Turn {
  items: readonly ResourceItem[]
  /** From 0; -1 while it is unknown. */
  index: number
  count: number
  previous: ResourceItem | undefined
  next: ResourceItem | undefined
  isGone: false
}

/** The neighbours of a file in its shared folder. @param path of the file, below the share */
export function useNeighbours(link: Link, path: string): Turn {
  const { data } = useQuery(sharedQuery(link.hash, parentOf(parsePath(path))))
  const { rows } = useSortedRows(data && 'items' in data ? data : NOTHING, DEFAULT_SORTING)
  const items = rows.filter(({ type, isDir }) => !isDir && type !== 'invalid_link')
  const index = items.findIndex(item => item.path === path)
  const [previous, next] = index < 0 ? [] : [items[index - 1], items[index + 1]]
  usePrefetch(link, next)
  return { items, index, count: items.length, previous, next, isGone: false }
}

/** Preloads the next image. */
function usePrefetch({ hash, ticket }: Link, item: ResourceItem | undefined): void {
  useEffect(() => {
    if (item?.type === 'image') new Image().src = apiUrl(publicPreview('big', { hash, ticket }, item))
  }, [hash, ticket, item])
}

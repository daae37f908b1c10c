import { useEffect, useMemo, useRef } from 'react'
import type { FileResource, FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { type FilePath, parentOf, parsePath } from '../../../shared/path.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { giveUp } from '../../lib/cancel-image.ts'
import { useQuery } from '../../lib/query.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { isPending } from '../files/api/cached.ts'
import { folderQuery, isFolder } from '../files/api/list.ts'
import { useFocusRequest } from '../files/items/focus-request.ts'
import { useSorting } from '../files/listing/preferences.ts'
import { useSortedRows } from '../files/listing/sort/use-sorted.ts'
import { isInTurn, successor } from './neighbours.ts'
import { pictureUrl } from './picture-url.ts'

/** Until the folder is known, or when it may not be seen. */
const NOTHING: FolderResource = {
  path: '/',
  name: '',
  size: 0,
  extension: '',
  modified: '',
  mode: 0,
  isDir: true,
  isSymlink: false,
  type: '',
  items: [],
  numDirs: 0,
  numFiles: 0,
  sorting: DEFAULT_SORTING,
}

/** Where a file stands among those that are gone through. */
export interface Turn {
  /** From 0; -1 when it is not one of them. */
  index: number
  count: number
  previous: ResourceItem | undefined
  next: ResourceItem | undefined
}

/** Shows another file of the folder in the place of this one. */
export function goTo({ path }: Pick<ResourceItem, 'path'>): void {
  void navigate(filesUrl(path), { replace: true })
}

/**
 * The neighbours of a file in the current order of its folder. When it is renamed, it is followed; when it is deleted,
 * its neighbour takes its place, and where there is none `onGone` is called.
 */
export function useTurn(resource: FileResource, onGone: () => void): Turn {
  const folder = parentOf(parsePath(resource.path))
  const { data } = useQuery(folderQuery(folder))
  const listing = data && isFolder(data) ? data : NOTHING
  const { rows } = useSortedRows(listing, useSorting(listing))
  useFollow(resource, folder, rows, onGone)
  const turn = useMemo(() => turnOf(rows, resource.name), [rows, resource.name])
  usePrefetch(turn)
  return turn
}

function turnOf(rows: readonly ResourceItem[], name: string): Turn {
  const items = rows.filter(isInTurn)
  const index = items.findIndex(item => item.name === name)
  if (index < 0) return { index, count: items.length, previous: undefined, next: undefined }
  return { index, count: items.length, previous: items[index - 1], next: items[index + 1] }
}

function useFollow(
  { path, name, type, isDir }: FileResource,
  folder: FilePath,
  rows: readonly ResourceItem[],
  onGone: () => void,
): void {
  const request = useFocusRequest()
  const renamed = useRef<string>(undefined)
  const seen = useRef<{ path: string; index: number }>(undefined)
  useEffect(() => {
    if (request?.folder === folder) renamed.current = request.name
  }, [request, folder])
  useEffect(() => {
    const index = rows.findIndex(row => row.name === name)
    if (index >= 0) {
      if (seen.current?.path !== path) renamed.current = undefined
      seen.current = { path, index }
    } else if (seen.current?.path === path) {
      const target = rows.find(row => row.name === renamed.current)
      // Until the server has confirmed the new name there is nothing to be had under it.
      if (target && isPending(target)) return
      const instead = target ?? (isInTurn({ type, isDir }) ? successor(rows, seen.current.index) : undefined)
      if (instead) goTo(instead)
      else onGone()
    }
  }, [path, name, type, isDir, rows, onGone])
}

const fetched = (item: ResourceItem) => Object.assign(new Image(), { src: pictureUrl(item) })

/** Fetches the pictures on both sides, so that they are there at once; those that were passed by are given up. */
function usePrefetch({ previous, next }: Turn): void {
  useEffect(() => {
    const pictures = [next, previous].flatMap(item => (item?.type === 'image' && !isPending(item) ? fetched(item) : []))
    // Not at once: what is on its way may be what is shown from now on.
    return () => void setTimeout(() => pictures.forEach(giveUp))
  }, [previous, next])
}

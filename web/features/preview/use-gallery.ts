import { useEffect, useMemo, useRef, useState } from 'react'
import type { FileResource, FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { type FilePath, parentOf, parsePath } from '../../../shared/path.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { useQuery } from '../../lib/query.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { isPending, takeRemoval } from '../files/api/edit-listing.ts'
import { folderQuery, isFolder } from '../files/api/list.ts'
import { cancelImage } from '../files/items/cancel-image.ts'
import { useFocusRequest } from '../files/items/focus-request.ts'
import { useSorting, useViewMode } from '../files/listing/preferences.ts'
import { useSortedRows } from '../files/listing/sort/use-sorted.ts'
import { imageUrl } from './image-url.ts'
import { isInGallery, successor } from './neighbours.ts'

/** Until the folder has loaded, or without the permission to see it. */
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

/** A file's position in the gallery. */
export interface Gallery {
  /** The files that Next and Previous stop at. */
  items: readonly ResourceItem[]
  /** From 0; -1 when it is not part of it. */
  index: number
  count: number
  previous: ResourceItem | undefined
  next: ResourceItem | undefined
  /** Whether another user or program deleted, renamed or moved the file. */
  isGone: boolean
}

/** Replaces the file by another one of the folder. */
export function goTo({ path }: Pick<ResourceItem, 'path'>): void {
  void navigate(filesUrl(path), { replace: true })
}

/**
 * The neighbours of a file in the current order of its folder. A file renamed here is followed; one deleted here is
 * replaced by its neighbour, and where there is none, `onGone` is called. One deleted elsewhere stays, as gone.
 */
export function useGallery(resource: FileResource, onGone: () => void): Gallery {
  const folder = parentOf(parsePath(resource.path))
  const rows = useFolderRows(resource.path)
  const goneAt = useFollow(resource, folder, rows, onGone)
  const gallery = useMemo(() => galleryOf(rows, resource.name, goneAt), [rows, resource.name, goneAt])
  usePrefetch(gallery)
  return gallery
}

/** The rows of a file's folder, in its current order. */
export function useFolderRows(path: string): readonly ResourceItem[] {
  const folder = parentOf(parsePath(path))
  const { data } = useQuery(folderQuery(folder))
  const listing = data && isFolder(data) ? data : NOTHING
  return useSortedRows(listing, useSorting(listing), useViewMode(folder) === 'mosaic gallery').rows
}

function galleryOf(rows: readonly ResourceItem[], name: string, goneAt: number | undefined): Gallery {
  const items = rows.filter(isInGallery)
  const index = items.findIndex(item => item.name === name)
  const isGone = index < 0 && goneAt !== undefined
  const around = isGone
    ? { previous: rows.slice(0, goneAt).findLast(isInGallery), next: rows.slice(goneAt).find(isInGallery) }
    : { previous: index < 0 ? undefined : items[index - 1], next: index < 0 ? undefined : items[index + 1] }
  return { items, index, count: items.length, isGone, ...around }
}

/** @returns the former index in `rows` of a file that went away elsewhere */

function useFollow(
  { path, name }: FileResource,
  folder: FilePath,
  rows: readonly ResourceItem[],
  onGone: () => void,
): number | undefined {
  const request = useFocusRequest()
  const renamed = useRef<string>(undefined)
  const seen = useRef<{ path: string; index: number }>(undefined)
  const [gone, setGone] = useState<{ path: string; index: number }>()
  useEffect(() => {
    if (request?.folder === folder) renamed.current = request.names[0]
  }, [request, folder])
  useEffect(() => {
    const index = rows.findIndex(row => row.name === name)
    if (index >= 0) {
      if (seen.current?.path !== path) renamed.current = undefined
      seen.current = { path, index }
      setGone(undefined)
    } else if (seen.current?.path === path) {
      const target = rows.find(row => row.name === renamed.current)
      // Nothing can be fetched under the new name until the server has confirmed it.
      if (target && isPending(target)) return
      if (!target && !takeRemoval(folder, name)) return setGone(seen.current)
      const instead = target ?? successor(rows, seen.current.index)
      if (instead) goTo(instead)
      else onGone()
    }
  }, [path, name, folder, rows, onGone])
  return gone?.path === path ? gone.index : undefined
}

const fetched = (item: ResourceItem) => Object.assign(new Image(), { src: imageUrl(item) })

/** Preloads the images on both sides; cancels those the user has moved past. */
function usePrefetch({ previous, next }: Gallery): void {
  useEffect(() => {
    const pictures = [next, previous].flatMap(item => (item?.type === 'image' && !isPending(item) ? fetched(item) : []))
    // Deferred: an image still loading may be the current one next.
    return () => void setTimeout(() => pictures.forEach(cancelImage))
  }, [previous, next])
}

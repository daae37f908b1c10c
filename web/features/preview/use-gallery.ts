import { useEffect, useMemo, useRef } from 'react'
import type { FileResource, FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { type FilePath, parentOf, parsePath } from '../../../shared/path.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { useQuery } from '../../lib/query.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { isPending } from '../files/api/edit-listing.ts'
import { folderQuery, isFolder } from '../files/api/list.ts'
import { cancelImage } from '../files/items/cancel-image.ts'
import { useFocusRequest } from '../files/items/focus-request.ts'
import { useSorting } from '../files/listing/preferences.ts'
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
  /** From 0; -1 when it is not part of it. */
  index: number
  count: number
  previous: ResourceItem | undefined
  next: ResourceItem | undefined
}

/** Replaces the file by another one of the folder. */
export function goTo({ path }: Pick<ResourceItem, 'path'>): void {
  void navigate(filesUrl(path), { replace: true })
}

/**
 * The neighbours of a file in the current order of its folder. A renamed file is followed; a deleted one is replaced by
 * its neighbour, and where there is none, `onGone` is called.
 */
export function useGallery(resource: FileResource, onGone: () => void): Gallery {
  const folder = parentOf(parsePath(resource.path))
  const { data } = useQuery(folderQuery(folder))
  const listing = data && isFolder(data) ? data : NOTHING
  const { rows } = useSortedRows(listing, useSorting(listing))
  useFollow(resource, folder, rows, onGone)
  const gallery = useMemo(() => galleryOf(rows, resource.name), [rows, resource.name])
  usePrefetch(gallery)
  return gallery
}

function galleryOf(rows: readonly ResourceItem[], name: string): Gallery {
  const items = rows.filter(isInGallery)
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
      // Nothing can be fetched under the new name until the server has confirmed it.
      if (target && isPending(target)) return
      const instead = target ?? (isInGallery({ type, isDir }) ? successor(rows, seen.current.index) : undefined)
      if (instead) goTo(instead)
      else onGone()
    }
  }, [path, name, type, isDir, rows, onGone])
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

import type { FileResource, FolderResource, Resource, ResourceItem } from '../../../../shared/api/resources.ts'
import { apiRead, NOT_MODIFIED } from '../../../lib/api.ts'
import { IN_ROWS } from '../../../lib/preloaded-calls.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { readListing } from './read-listing.ts'
import { resourceCall } from './resource.ts'

/** Number of entries above which window focus does not refetch a listing. */
const LARGE = 10_000

/** Cache key of a folder's listing. @param path without a trailing slash, `/` for the root */
export function folderKey(path: string): readonly [string, string] {
  return ['folder', path]
}

export function isFolder(resource: Resource): resource is FolderResource {
  return resource.isDir && 'items' in resource
}

/** An item that a listing describes is a file with every field but those that take a look into it. */
export const isFile = (item: ResourceItem): item is FileResource => !item.isDir

/** Versions (entity tags) of folders as loaded. A listing changed on the client is another object and has none. */
const versions = new WeakMap<Resource, string>()

/** Fetches the folder conditionally; returns the cached listing when the server reports no change. */
function loadFolder(path: string, signal: AbortSignal): Promise<Resource> {
  const before = queryClient.getQueryData<Resource>(folderKey(path))
  const known = before && versions.get(before)
  const headers = { ...IN_ROWS.headers, ...(known !== undefined && { 'If-None-Match': known }) }
  return apiRead(resourceCall(path, true), { signal, headers }, async answer => {
    if (before && answer.status === NOT_MODIFIED) return before
    const { resource, etag } = await readListing(answer, begin(path))
    if (etag !== undefined) versions.set(resource, etag)
    return resource
  })
}

/** `GET /api/resources/{folder}/` (http-api 3.1), as a query. Fails with `ApiError`. */
export function folderQuery(path: string) {
  return queryOptions({
    queryKey: folderKey(path),
    queryFn: ({ signal }) => loadFolder(path, signal),
    // Structural sharing is off: comparing a hundred thousand entries costs more than rendering the forty in view.
    structuralSharing: false,
    refetchOnReconnect: true,
    refetchOnWindowFocus: query => sizeOf(query.state.data) < LARGE,
  })
}

function sizeOf(resource: Resource | undefined): number {
  return resource && isFolder(resource) ? resource.items.length : 0
}

/** Whether more entries are to come: the counts are those of the whole folder. */
export function isPartly({ items, numDirs, numFiles }: FolderResource): boolean {
  return items.length < numDirs + numFiles
}

/** The first rows of a folder, as of the last load, as a query that never fetches. */
export function firstRowsQuery(path: string) {
  const queryKey = ['first-rows', path]
  return queryOptions<FolderResource>({ queryKey, queryFn: () => Promise.reject(new Error('comes with the folder')) })
}

/**
 * Returns the callback that caches the first rows of a folder; none for a folder loaded before, whose rows are all on
 * the screen.
 */
const begin = (path: string) => (folder: FolderResource) => {
  if (!knownFolder(path)) queryClient.setQueryData(firstRowsQuery(path).queryKey, folder)
}

/** The listing as last loaded, from the cache. */
export function knownFolder(path: string): FolderResource | undefined {
  const known = queryClient.getQueryData<Resource>(folderKey(path))
  return known && isFolder(known) ? known : undefined
}

/** The entry of this name in a folder, from the cache. */
export function knownEntry(folder: string, name: string): ResourceItem | undefined {
  return knownFolder(folder)?.items.find(item => item.name === name)
}

/** Reloads a folder's listing and the disk usage. */
export async function reloadFolder(path: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: folderKey(path) })
}

/** Invalidates every listing, every file and the trash; mounted ones reload at once. */
export async function reloadFolders(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['folder'] }),
    queryClient.invalidateQueries({ queryKey: ['file'] }),
    queryClient.invalidateQueries({ queryKey: ['usage'] }),
    queryClient.invalidateQueries({ queryKey: ['trash'] }),
  ])
}

/** Calls `listener` when listings are invalidated, once for all of them. @returns the function that unsubscribes */
export function onFoldersChanged(listener: () => void): () => void {
  let told = false
  return queryClient.getQueryCache().subscribe(event => {
    const isInvalidation = event.type === 'updated' && event.action.type === 'invalidate'
    if (told || !isInvalidation || event.query.queryKey[0] !== 'folder') return
    told = true
    queueMicrotask(() => {
      told = false
      listener()
    })
  })
}

import type { FolderResource, Resource, ResourceItem } from '../../../../shared/api/resources.ts'
import { apiRead, NOT_MODIFIED } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { resourceCall } from '../../../lib/resource.ts'
import { IN_ROWS } from '../../../lib/rows.ts'
import { readListing } from './read-listing.ts'

/** Entries above which a listing is not fetched again just because the window got the focus. */
const LARGE = 10_000

/** Cache key of a folder's listing. @param path without a trailing slash, `/` for the root */
export function folderKey(path: string): readonly [string, string] {
  return ['folder', path]
}

export function isFolder(resource: Resource): resource is FolderResource {
  return resource.isDir && 'items' in resource
}

/** Versions of folders as they were loaded; one that was changed here is another object, and has none. */
const versions = new WeakMap<Resource, string>()

/** The folder as it is now, which is what was loaded before as long as it is the same. */
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
    // Comparing a hundred thousand entries would cost more than rendering the forty in sight.
    structuralSharing: false,
    refetchOnReconnect: true,
    refetchOnWindowFocus: query => sizeOf(query.state.data) < LARGE,
  })
}

function sizeOf(resource: Resource | undefined): number {
  return resource && isFolder(resource) ? resource.items.length : 0
}

/** Whether entries are still to come: the counts are those of the whole folder. */
export function isPartly({ items, numDirs, numFiles }: FolderResource): boolean {
  return items.length < numDirs + numFiles
}

/** The first rows of a folder, as they were when it was last loaded, as a query that is never asked for by itself. */
export function begunQuery(path: string) {
  const queryKey = ['begun', path]
  return queryOptions<FolderResource>({ queryKey, queryFn: () => Promise.reject(new Error('comes with the folder')) })
}

/** What keeps the first rows of a folder; not of one that was loaded before, whose rows are all on the screen. */
const begin = (path: string) => (folder: FolderResource) => {
  if (!knownFolder(path)) queryClient.setQueryData(begunQuery(path).queryKey, folder)
}

/** The listing as last loaded, without asking the server. */
export function knownFolder(path: string): FolderResource | undefined {
  const known = queryClient.getQueryData<Resource>(folderKey(path))
  return known && isFolder(known) ? known : undefined
}

/** The entry of this name in a folder, as last loaded. */
export function knownEntry(folder: string, name: string): ResourceItem | undefined {
  return knownFolder(folder)?.items.find(item => item.name === name)
}

/** Loads a folder's listing again, and the usage with it. */
export async function reloadFolder(path: string): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: folderKey(path) })
}

/** Marks every listing and file as out of date; what is on the screen loads again at once. */
export async function reloadFolders(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['folder'] }),
    queryClient.invalidateQueries({ queryKey: ['file'] }),
    queryClient.invalidateQueries({ queryKey: ['usage'] }),
  ])
}

/** Calls `listener` whenever listings were marked as out of date, once for all of them. @returns what ends it */
export function onFoldersChanged(listener: () => void): () => void {
  let told = false
  return queryClient.onInvalidated(([kind]) => {
    if (told || kind !== 'folder') return
    told = true
    queueMicrotask(() => {
      told = false
      listener()
    })
  })
}

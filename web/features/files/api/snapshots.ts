import type { RewindBody, RewindPlan } from '../../../../shared/api/changes.ts'
import type { Job } from '../../../../shared/api/jobs.ts'
import type { Resource } from '../../../../shared/api/resources.ts'
import type { RestoredEntry, SnapshotList, SnapshotRestore } from '../../../../shared/api/snapshots.ts'
import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryOptions } from '../../../lib/query.ts'
import { filesUrl } from '../../../lib/router.tsx'

/** A file or folder in a snapshot. */
export interface SnapshotPlace {
  /** The id of the snapshot. */
  at: string
  path: FilePath
}

const JSON_BODY = { 'Content-Type': 'application/json' }

/** `GET /api/snapshots/{path}` (http-api 5.2). @param before the id of the last one of the page before @throws ApiError */
export function fetchSnapshots(path: string, before?: string, signal?: AbortSignal): Promise<SnapshotList> {
  const query = before === undefined ? '' : `?before=${encodeURIComponent(before)}`
  return apiJson<SnapshotList>(`/api/snapshots${encodePath(path)}${query}`, signal ? { signal } : {})
}

/** The newest snapshots of an entry, as a query. Fails with `ApiError`. */
export const snapshotsQuery = (path: string) =>
  queryOptions({
    queryKey: ['snapshots', path],
    queryFn: ({ signal }) => fetchSnapshots(path, undefined, signal),
  })

/** `GET /api/resources/{path}?at=` as a query. Fails with `ApiError`. */
export const placeQuery = ({ at, path }: SnapshotPlace) =>
  queryOptions({
    queryKey: ['snapshots', 'place', at, path],
    queryFn: ({ signal }) => apiJson<Resource>(`/api/resources${encodePath(path)}${atQuery(at)}`, { signal }),
  })

/** URL of a file's bytes, or of a folder as an archive, without the base URL. @param inline display, not save */
export const snapshotRaw = ({ at, path }: SnapshotPlace, inline = false): string =>
  `/api/raw${encodePath(path)}${atQuery(at)}${inline ? '&inline=true' : ''}`

/** In-app address of an entry in a snapshot. */
export const snapshotUrl = ({ at, path }: SnapshotPlace, isDir: boolean): string =>
  `${filesUrl(path, isDir)}${atQuery(at)}`

const atQuery = (at: string) => `?at=${encodeURIComponent(at)}`

/** `POST /api/snapshots/{path}`. @param to where the entry is copied to @throws ApiError */
export async function restoreSnapshot(to: string, body: SnapshotRestore): Promise<RestoredEntry[]> {
  const init = { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) }
  const lines = await (await api(`/api/snapshots${encodePath(to)}`, init)).text()
  return lines
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as RestoredEntry)
}

/** `POST /api/changes/rewind`, only to count. @throws ApiError */
export function countRewind(body: Omit<RewindBody, 'dry'>, signal: AbortSignal): Promise<RewindPlan> {
  const init = { method: 'POST', headers: JSON_BODY, signal, body: JSON.stringify({ ...body, dry: true }) }
  return apiJson<RewindPlan>('/api/changes/rewind', init)
}

/** `POST /api/changes/rewind`: a job, or nothing to do. @throws ApiError */
export function rewindFolder(body: Omit<RewindBody, 'dry'>): Promise<Job | RewindPlan> {
  const init = { method: 'POST', headers: JSON_BODY, body: JSON.stringify(body) }
  return apiJson<Job | RewindPlan>('/api/changes/rewind', init)
}

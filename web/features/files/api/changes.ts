import type {
  Change,
  ChangeDetails,
  ChangeKind,
  ChangePage,
  UndoAnswer,
  UndoBody,
} from '../../../../shared/api/changes.ts'
import type { Job } from '../../../../shared/api/jobs.ts'
import { type FilePath, ROOT } from '../../../../shared/path.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'
import { createStore } from '../../../lib/store.ts'

/** What a list of changes shows. */
export interface ChangesOptions {
  mine: boolean
  /** Only changes of this file or folder, or below it. */
  path: FilePath
  /** `''` for all. */
  kind: ChangeKind | ''
  /** The name of a user; `''` for all. */
  user: string
  /** RFC 3339: of this time or later; `''` for all. */
  from: string
  /** RFC 3339: before this time; `''` for all. */
  to: string
}

/** Prefix of the cache key of every list of changes, and of their steps. */
const CHANGES_KEY = 'changes'

/** `GET /api/changes` (http-api 21), as a query: the newest changes. Fails with `ApiError`, 501 where none are recorded. */
export function changesQuery(options: ChangesOptions) {
  return queryOptions({
    queryKey: [CHANGES_KEY, 'list', options],
    queryFn: ({ signal }) => apiJson<ChangePage>(listCall(options), { signal }),
    refetchOnReconnect: true,
    refetchOnWindowFocus: true,
  })
}

/** The changes before one. @throws ApiError */
export function fetchOlderChanges(options: ChangesOptions, before: string): Promise<ChangePage> {
  return apiJson<ChangePage>(listCall(options, before))
}

function listCall({ mine, path, kind, user, from, to }: ChangesOptions, before?: string): string {
  const query = new URLSearchParams({
    ...(mine && { mine: 'true' }),
    ...(path !== ROOT && { path }),
    ...(kind !== '' && { kind }),
    ...(user !== '' && { user }),
    ...(from !== '' && { from }),
    ...(to !== '' && { to }),
    ...(before !== undefined && { before }),
  })
  return `/api/changes?${query}`
}

/** The newest changes of this session since a time in milliseconds. @throws ApiError */
export async function fetchOwnChanges(since: number): Promise<readonly Change[]> {
  const query = new URLSearchParams({ session: 'true', from: new Date(since).toISOString() })
  return (await apiJson<ChangePage>(`/api/changes?${query}`)).items
}

/** `GET /api/changes/{id}` (http-api 21). @param from the position of the first step @throws ApiError */
export function fetchChange(id: string, from = 0, signal?: AbortSignal): Promise<ChangeDetails> {
  return apiJson<ChangeDetails>(`/api/changes/${encodeURIComponent(id)}?steps=${from}`, signal ? { signal } : {})
}

/** A change with its first steps, as a query. */
export function changeQuery(id: string) {
  return queryOptions({
    queryKey: [CHANGES_KEY, 'one', id],
    queryFn: ({ signal }) => fetchChange(id, 0, signal),
  })
}

/** What an undo of a change would do, as a query. */
export function verdictsQuery(id: string) {
  return queryOptions({
    queryKey: [CHANGES_KEY, 'verdicts', id],
    queryFn: () => previewUndo(id),
    staleTime: 0,
  })
}

/** Says what an undo would do. @throws ApiError */
export const previewUndo = (id: string): Promise<UndoAnswer> =>
  sendUndo(id, { dry: true }).then(response => response.json())

/** `POST /api/changes/{id}/undo` (http-api 21). @returns the results, or the job that it became @throws ApiError */
export async function requestUndo(id: string, body: UndoBody): Promise<{ answer: UndoAnswer } | { job: Job }> {
  const response = await sendUndo(id, body)
  return response.status === 202 ? { job: await response.json() } : { answer: await response.json() }
}

function sendUndo(id: string, body: UndoBody): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return api(`/api/changes/${encodeURIComponent(id)}/undo`, { method: 'POST', headers, body: JSON.stringify(body) })
}

/** Invalidates every list of changes; what is on the screen reloads at once. */
export async function reloadChanges(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [CHANGES_KEY] })
}

/** Number of lists of changes on the screen: events about changes of other users are wanted. */
export const shownChangesStore = createStore(0)

const listeners = new Set<(id: string | undefined) => void>()

/** Reports that a change was recorded, has grown, or was undone; `undefined` if any may have. */
export function reportChange(id: string | undefined): void {
  for (const listener of listeners) listener(id)
}

/** Calls `listener` with such reports, and wants those about others. @returns the function that unsubscribes */
export function onChange(listener: (id: string | undefined) => void): () => void {
  listeners.add(listener)
  shownChangesStore.set(shownChangesStore.get() + 1)
  return () => {
    listeners.delete(listener)
    shownChangesStore.set(shownChangesStore.get() - 1)
  }
}

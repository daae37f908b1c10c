import type {
  DuplicateRun,
  DuplicatesPage,
  FindingChange,
  IntegrityFinding,
  IntegrityFindings,
  IntegrityReport,
} from '../../../../shared/api/integrity.ts'
import { apiJson } from '../../../lib/api.ts'

/** `GET /api/integrity`, as options of a query. */
export const reportQuery = {
  queryKey: ['integrity', 'report'],
  queryFn: ({ signal }: { signal: AbortSignal }) => apiJson<IntegrityReport>('/api/integrity', { signal }),
}

/** `GET /api/integrity/findings`: the newest. */
export const findingsQuery = {
  queryKey: ['integrity', 'findings'],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchFindings(undefined, signal),
}

/** @param before the id of the last finding of the page before @throws ApiError */
export function fetchFindings(before: string | undefined, signal?: AbortSignal): Promise<IntegrityFindings> {
  const query = before === undefined ? '' : `?before=${encodeURIComponent(before)}`
  return apiJson<IntegrityFindings>(`/api/integrity/findings${query}`, signal ? { signal } : {})
}

/** Settles a finding. @throws ApiError */
export function settleFinding(id: string, change: FindingChange): Promise<IntegrityFinding> {
  return apiJson<IntegrityFinding>(`/api/integrity/findings/${encodeURIComponent(id)}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(change),
  })
}

/** `GET /api/duplicates`: the searches, newest first. */
export const runsQuery = {
  queryKey: ['integrity', 'runs'],
  queryFn: ({ signal }: { signal: AbortSignal }) => apiJson<DuplicateRun[]>('/api/duplicates', { signal }),
}

/** `GET /api/duplicates/{run}`: the groups with the most to gain. */
export const groupsQuery = (run: string) => ({
  queryKey: ['integrity', 'groups', run],
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchGroups(run, 0, signal),
})

/** @param after as `next` of the page before @throws ApiError */
export function fetchGroups(run: string, after: number, signal?: AbortSignal): Promise<DuplicatesPage> {
  return apiJson<DuplicatesPage>(`/api/duplicates/${encodeURIComponent(run)}?after=${after}`, signal ? { signal } : {})
}

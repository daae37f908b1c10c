import type { AuditPage, AuditRow } from '../../../../shared/api/audit.ts'
import { apiJson, apiUrl } from '../../../lib/api.ts'

/** Filter of the audit log; `''` is everything. Days are in the format of date inputs. */
export interface AuditQuery {
  user: string
  action: string
  path: string
  from: string
  until: string
}

export const EVERYTHING: AuditQuery = { user: '', action: '', path: '', from: '', until: '' }

/** Days begin and end in the browser's time zone. */
function queryOf({ user, action, path, from, until }: AuditQuery): URLSearchParams {
  const given = { user, action, path, from: dayTime(from, 0), to: dayTime(until, 1) }
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
}

function dayTime(day: string, later: number): string {
  if (day === '') return ''
  const date = new Date(`${day}T00:00`)
  if (Number.isNaN(date.getTime())) return ''
  date.setDate(date.getDate() + later)
  return date.toISOString()
}

/** `GET /api/audit`, as options of a query: the newest matching rows. */
export const auditQuery = (options: AuditQuery) => ({
  queryKey: ['audit', options],
  queryFn: ({ signal }: { signal: AbortSignal }) => apiJson<AuditPage>(`/api/audit?${queryOf(options)}`, { signal }),
})

/** The following page. */
export function fetchOlder(options: AuditQuery, { id }: AuditRow): Promise<AuditPage> {
  const query = queryOf(options)
  query.set('before', String(id))
  return apiJson<AuditPage>(`/api/audit?${query}`)
}

/** URL of `GET /api/audit/export`: all matching rows, as a file. */
export const exportUrl = (options: AuditQuery): string => apiUrl(`/api/audit/export?${queryOf(options)}`)

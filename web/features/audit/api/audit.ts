import type { AuditPage, AuditRow } from '../../../../shared/api/audit.ts'
import { apiJson, apiUrl } from '../../../lib/api.ts'

/** What of the audit log is shown; `''` is everything. Days are as date fields write them. */
export interface AuditWish {
  user: string
  action: string
  path: string
  from: string
  until: string
}

export const EVERYTHING: AuditWish = { user: '', action: '', path: '', from: '', until: '' }

/** Days begin and end where the reader is. */
function queryOf({ user, action, path, from, until }: AuditWish): URLSearchParams {
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

/** `GET /api/audit`, as options of a query: the newest rows that fit. */
export const auditQuery = (wish: AuditWish) => ({
  queryKey: ['audit', wish],
  queryFn: ({ signal }: { signal: AbortSignal }) => apiJson<AuditPage>(`/api/audit?${queryOf(wish)}`, { signal }),
})

/** The rows behind one. */
export function fetchOlder(wish: AuditWish, { id }: AuditRow): Promise<AuditPage> {
  const query = queryOf(wish)
  query.set('before', String(id))
  return apiJson<AuditPage>(`/api/audit?${query}`)
}

/** Address of `GET /api/audit/export`: all rows that fit, as a file. */
export const exportUrl = (wish: AuditWish): string => apiUrl(`/api/audit/export?${queryOf(wish)}`)

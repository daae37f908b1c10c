import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AUDIT_ACTIONS, AUDIT_PAGE, AuditPage, AuditRow } from '../../../shared/api/audit.ts'
import type { AuditFilter } from '../../audit/audit.store.ts'
import type { Audit } from '../../audit/audit.ts'
import { AppError } from '../../errors.ts'
import type { RecordedChanges } from '../../history/changes.ts'
import { queryOf, type Route } from '../../routing/route.ts'

export interface AuditRoutesDeps {
  audit: Audit
  changes: Pick<RecordedChanges, 'ofAudit'>
}

const FILTER = {
  user: 'Only actions of this user, by name.',
  action: { text: 'Only one action.', of: AUDIT_ACTIONS },
  path: 'Only entries about a path in the served folder or below it; without a leading slash, a part of a path.',
  from: { text: 'Only entries of this time or later, RFC 3339.', type: 'date-time' },
  to: { text: 'Only entries before this time, RFC 3339.', type: 'date-time' },
} as const

/** The audit log, for administrators. */
export function auditRoutes({ audit, changes }: AuditRoutesDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/audit',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'Read the audit log, newest first',
        query: {
          ...FILTER,
          before: { text: 'Only rows older than the one with this number, for the next page.', type: 'integer' },
          limit: { text: `The most rows to return; ${AUDIT_PAGE} by default and at most.`, type: 'integer' },
        },
        answers: { 200: { text: 'The rows.', schema: AuditPage } },
        refuses: [400],
      },
      async handler(request): Promise<AuditPage> {
        const before = numberIn(request, 'before')
        const limit = Math.min(numberIn(request, 'limit') ?? AUDIT_PAGE, AUDIT_PAGE)
        const filter = { ...filterOf(request), ...(before === undefined ? {} : { before }) }
        const { rows, more } = await audit.find(filter, limit)
        const made = await changes.ofAudit(rows.map(({ id }) => id))
        const withChange = (row: AuditRow, change = made.get(row.id)) => ({ ...row, ...(change && { change }) })
        return { rows: rows.map(row => withChange(row)), more }
      },
    },
    {
      method: 'GET',
      path: '/api/audit/export',
      access: 'admin',
      token: 'admin',
      queryToken: true,
      records: 'audit.export',
      describes: {
        summary: 'Download the audit log, one JSON row a line',
        query: FILTER,
        answers: { 200: { text: 'The rows, newest first.', type: 'application/x-ndjson', schema: AuditRow } },
        refuses: [400],
      },
      async handler(request, reply) {
        const lines = audit.lines(filterOf(request))
        reply.header('Content-Disposition', 'attachment; filename="audit.ndjson"')
        return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(lines, { objectMode: false }))
      },
    },
  ]
}

/** @throws AppError `bad_request` */
function filterOf(request: FastifyRequest): AuditFilter {
  const username = queryOf(request, 'user')
  const action = queryOf(request, 'action')
  const path = queryOf(request, 'path')
  const [from, to] = [timeIn(request, 'from'), timeIn(request, 'to')]
  if (action && !AUDIT_ACTIONS.some(known => known === action)) {
    throw new AppError('bad_request', 'action: is not known')
  }
  return {
    ...(username ? { username } : {}),
    ...(action ? { action } : {}),
    ...(path ? { path } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}

function timeIn(request: FastifyRequest, name: string): number | undefined {
  const text = queryOf(request, name)
  if (!text) return undefined
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) throw new AppError('bad_request', `${name}: must be a time`)
  return time
}

function numberIn(request: FastifyRequest, name: string): number | undefined {
  const text = queryOf(request, name)
  if (!text) return undefined
  if (!/^\d{1,15}$/.test(text) || Number(text) === 0) throw new AppError('bad_request', `${name}: must be a number`)
  return Number(text)
}

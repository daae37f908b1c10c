import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import type { ChangeFilter } from '../../files/change-records.ts'
import { queryOf } from '../../routing/route.ts'

/** The query of all calls that list changes. */
export const FILTERS = {
  user: 'Only those of the user with this name.',
  kind: 'Only those of one kind.',
  from: { text: 'Only those of this time or later, RFC 3339.', type: 'date-time' },
  to: { text: 'Only those before this time, RFC 3339.', type: 'date-time' },
} as const

/** What a request asks for. @throws AppError `bad_request` */
export function filterOf(request: FastifyRequest): Pick<ChangeFilter, 'username' | 'kind' | 'from' | 'to' | 'before'> {
  return Object.fromEntries([
    ...valued('username', queryOf(request, 'user')),
    ...valued('kind', queryOf(request, 'kind')),
    ...valued('before', queryOf(request, 'before')),
    ...(['from', 'to'] as const).flatMap(name => valued(name, timeOf(name, queryOf(request, name)))),
  ])
}

const valued = <T>(name: string, value: T | undefined): [string, T][] => (value === undefined ? [] : [[name, value]])

function timeOf(name: string, text: string | undefined): number | undefined {
  const time = text === undefined ? undefined : Date.parse(text)
  if (Number.isNaN(time)) throw new AppError('bad_request', `${name}: must be a time`)
  return time
}

import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { SessionInfo } from '../../../shared/api/auth.ts'
import type { SessionsTable } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { callerOf, queryOf, type Route } from '../../routing/route.ts'
import { clearedCookie } from './cookie.ts'
import type { Sessions } from './sessions.ts'

export interface SessionRouteDeps {
  sessions: Sessions
  config: { baseURL: string }
  endSessions(userId: number, which: { planned: boolean }): Promise<void>
  endSession(userId: number, sessionId: string): Promise<void>
}

/** Where somebody is signed in, and the end of it: for oneself only. */
export function sessionRoutes(deps: SessionRouteDeps): Route[] {
  const { sessions } = deps
  return [
    {
      method: 'GET',
      path: '/api/sessions',
      access: 'user',
      describes: {
        summary: 'List where the caller is signed in',
        answers: { 200: { text: 'The sessions, the one used last first.', schema: z.array(SessionInfo) } },
      },
      async handler(request): Promise<SessionInfo[]> {
        const { user, sessionId } = callerOf(request)
        return (await sessions.list(user.id)).map(session => toWire(session, sessionId))
      },
    },
    {
      method: 'DELETE',
      path: '/api/sessions',
      access: 'user',
      records: 'session.end',
      describes: {
        summary: 'Sign the caller out everywhere',
        query: { planned: '`cancel` also ends jobs for later; otherwise they stay.' },
        answers: { 204: { text: 'No session of the caller is left, this one included; what ran in them has ended.' } },
      },
      async handler(request, reply) {
        const planned = queryOf(request, 'planned') === 'cancel'
        await deps.endSessions(callerOf(request).user.id, { planned })
        return reply.header('Set-Cookie', clearedCookie(deps.config.baseURL)).code(204).send()
      },
    },
    {
      method: 'DELETE',
      path: '/api/sessions/:id',
      access: 'user',
      records: 'session.end',
      describes: {
        summary: 'End one session of the caller',
        answers: { 204: { text: 'It has ended, with what ran in it; jobs for later stay.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        const { user } = callerOf(request)
        const own = (await sessions.list(user.id)).find(({ id }) => id === idOf(request))
        if (!own) throw new AppError('not_found')
        await deps.endSession(user.id, own.id)
        return reply.code(204).send()
      },
    },
  ]
}

const idOf = ({ params }: FastifyRequest) => (params as { id?: string }).id

function toWire({ id, created_at, seen_at, address, agent }: SessionsTable, current: string): SessionInfo {
  const [created, seen] = [created_at, seen_at || created_at].map(time => new Date(time).toISOString())
  return { id, current: id === current, created: created ?? '', seen: seen ?? '', address, agent }
}

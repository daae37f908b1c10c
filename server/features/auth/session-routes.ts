import * as z from 'zod/mini'
import { SESSION_FACTORS, SessionInfo, UserSeen } from '../../../shared/api/auth.ts'
import type { SessionsTable } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { callerOf, parameterOf, queryOf, type Route } from '../../routing/route.ts'
import { sendSignedOut } from './cookie.ts'
import type { Sessions } from './sessions.ts'

export interface SessionRouteDeps {
  sessions: Sessions
  config: { baseURL: string }
  endSessions(userId: number, which: { planned: boolean }): Promise<void>
  endSession(userId: number, sessionId: string): Promise<void>
}

/** Lists and ends the caller's own sessions; for administrators, when users were last active (http-api 48). */
export function sessionRoutes(deps: SessionRouteDeps): Route[] {
  const { sessions } = deps
  return [
    {
      method: 'GET',
      path: '/api/sessions',
      access: 'user',
      token: 'none',
      describes: {
        summary: 'List the caller’s sessions',
        answers: { 200: { text: 'The sessions, most recently used first.', schema: z.array(SessionInfo) } },
      },
      async handler(request): Promise<SessionInfo[]> {
        const { user, sessionId } = callerOf(request)
        return (await sessions.list(user.id)).map(session => toWire(session, sessionId))
      },
    },
    {
      method: 'GET',
      path: '/api/users/seen',
      access: 'admin',
      token: 'admin',
      describes: {
        summary: 'List when users were last active',
        answers: { 200: { text: 'The users who ever were.', schema: z.array(UserSeen) } },
      },
      async handler(): Promise<UserSeen[]> {
        return [...(await sessions.seen())].map(([id, at]) => ({ id, seen: new Date(at).toISOString() }))
      },
    },
    {
      method: 'DELETE',
      path: '/api/sessions',
      access: 'user',
      token: 'none',
      records: 'session.end',
      describes: {
        summary: 'End all sessions of the caller',
        query: { planned: '`cancel` also cancels scheduled jobs; otherwise they stay.' },
        answers: { 204: { text: 'All sessions of the caller have ended, this one and their running jobs included.' } },
      },
      async handler(request, reply) {
        const planned = queryOf(request, 'planned') === 'cancel'
        await deps.endSessions(callerOf(request).user.id, { planned })
        return sendSignedOut(reply, deps.config.baseURL)
      },
    },
    {
      method: 'DELETE',
      path: '/api/sessions/:id',
      access: 'user',
      token: 'none',
      records: 'session.end',
      describes: {
        summary: 'End one session of the caller',
        answers: { 204: { text: 'It has ended, with its running jobs; scheduled jobs stay.' } },
        refuses: [404],
      },
      async handler(request, reply) {
        const { user } = callerOf(request)
        const own = (await sessions.list(user.id)).find(({ id }) => id === parameterOf(request, 'id'))
        if (!own) throw new AppError('not_found')
        await deps.endSession(user.id, own.id)
        return reply.code(204).send()
      },
    },
  ]
}

function toWire({ id, created_at, seen_at, address, agent, factors }: SessionsTable, current: string): SessionInfo {
  const [created, seen] = [created_at, seen_at || created_at].map(time => new Date(time).toISOString())
  const proven = factors.split(' ').flatMap(name => SESSION_FACTORS.find(factor => factor === name) ?? [])
  return { id, current: id === current, created: created ?? '', seen: seen ?? '', address, agent, factors: proven }
}

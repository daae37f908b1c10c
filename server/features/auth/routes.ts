import type { FastifyReply, FastifyRequest } from 'fastify'
import { LoginRequest } from '../../../shared/api/auth.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { callerOf, type Route } from '../../route.ts'
import { findUser } from '../users/users.store.ts'
import { clearedCookie, sessionCookie } from './cookie.ts'
import { tokenOf } from './credentials.ts'
import type { AuthMethod } from './method.ts'
import type { Sessions } from './sessions.ts'

export interface AuthDeps {
  db: Db
  sessions: Sessions
  authMethod: AuthMethod
  config: { baseURL: string }
}

/** Login, renewal and logout (contract section 2). */
export function authRoutes({ db, sessions, authMethod, config }: AuthDeps): Route[] {
  const hand = (request: FastifyRequest, reply: FastifyReply, token: string) =>
    reply
      .header('Set-Cookie', sessionCookie(token, config.baseURL, request.protocol === 'https'))
      .type('text/plain; charset=utf-8')
      .send(token)

  return [
    {
      method: 'POST',
      path: '/api/login',
      access: 'public',
      schema: LoginRequest,
      misfit: 'wrong_credentials',
      async handler(request, reply) {
        const user = await authMethod.authenticate(request.body as LoginRequest)
        return hand(request, reply, await sessions.start(user))
      },
    },
    {
      method: ['GET', 'POST'],
      path: '/api/renew',
      access: 'user',
      async handler(request, reply) {
        const { sessionId, user } = callerOf(request)
        const stored = await findUser(db, user.id)
        if (!stored) throw new AppError('unauthorized')
        reply.header('X-Renew-Token', 'false')
        return hand(request, reply, await sessions.renew(sessionId, stored))
      },
    },
    {
      method: 'POST',
      path: '/api/logout',
      access: 'public',
      async handler(request, reply) {
        const token = tokenOf(request, { query: false })
        if (token !== undefined) await endQuietly(sessions, token)
        return reply.header('Set-Cookie', clearedCookie(config.baseURL)).code(204).send()
      },
    },
  ]
}

/** Logout is idempotent: a token that is no good any more is as good as logged out. */
async function endQuietly(sessions: Sessions, token: string): Promise<void> {
  const session = await sessions.resolve(token).catch(() => undefined)
  if (session) await sessions.end(session.sessionId)
}

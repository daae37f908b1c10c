import type { FastifyReply, FastifyRequest } from 'fastify'
import { LoginRequest } from '../../../shared/api/auth.ts'
import { callerOf, type Route } from '../../route.ts'
import { clearedCookie, sessionCookie } from './cookie.ts'
import { tokenOf } from './credentials.ts'
import { type AuthMethods, currentMethod, type LoginAttempt } from './method.ts'
import type { Sessions } from './sessions.ts'
import { type SignupDeps, signupRoute } from './signup.ts'

export interface AuthDeps extends SignupDeps {
  sessions: Sessions
  authMethods: AuthMethods
  config: { baseURL: string }
}

/** Login, renewal, logout and sign-up (contract section 2). */
export function authRoutes(deps: AuthDeps): Route[] {
  const { db, sessions, authMethods, config } = deps
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
      describes: {
        summary: 'Sign in',
        answers: {
          200: {
            text: 'The session token, which is also set as a cookie.',
            headers: { 'Set-Cookie': 'The token again, for links that a browser opens.' },
          },
          403: { text: 'Not these credentials, or no body at all.' },
        },
      },
      async handler(request, reply) {
        const { method, settings } = await currentMethod(db, authMethods)
        const user = await method.authenticate(attemptOf(request), settings)
        return hand(request, reply, await sessions.start(user))
      },
    },
    {
      method: ['GET', 'POST'],
      path: '/api/renew',
      access: 'user',
      describes: {
        summary: 'Get a new token for the session that calls',
        answers: {
          200: {
            text: 'The new session token, which is also set as a cookie.',
            headers: { 'Set-Cookie': 'The token again.' },
          },
        },
      },
      async handler(request, reply) {
        const { sessionId, user } = callerOf(request)
        reply.header('X-Renew-Token', 'false')
        return hand(request, reply, await sessions.renew(sessionId, user))
      },
    },
    {
      method: 'POST',
      path: '/api/logout',
      access: 'public',
      describes: {
        summary: 'End the session that calls',
        headers: { 'X-Auth': 'The session token; without one there is nothing to end.' },
        answers: { 204: { text: 'There is no such session any more.' } },
      },
      async handler(request, reply) {
        const token = tokenOf(request, { query: false })
        if (token !== undefined) await endQuietly(sessions, token)
        return reply.header('Set-Cookie', clearedCookie(config.baseURL)).code(204).send()
      },
    },
    signupRoute(deps),
  ]
}

function attemptOf(request: FastifyRequest): LoginAttempt {
  const body = request.body as LoginRequest | undefined
  return {
    username: body?.username ?? '',
    password: body?.password ?? '',
    recaptcha: body?.recaptcha ?? '',
    peer: request.raw.socket.remoteAddress ?? '',
    rawHeaders: request.raw.rawHeaders,
  }
}

/** Logout is idempotent: a token that is no good any more is as good as logged out. */
async function endQuietly(sessions: Sessions, token: string): Promise<void> {
  const session = await sessions.resolve(token).catch(() => undefined)
  if (session) await sessions.end(session.sessionId)
}

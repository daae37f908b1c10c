import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditWay } from '../../../shared/api/audit.ts'
import { LoginRequest } from '../../../shared/api/auth.ts'
import { AppError } from '../../errors.ts'
import { callerOf, type Route, remark } from '../../routing/route.ts'
import type { Guesses } from '../users/login-throttle.ts'
import { findUserByName, type StoredUser } from '../users/users.store.ts'
import { judgeSecret } from '../users/verify-secret.ts'
import { deviceOf } from './client-info.ts'
import { clearedCookie, sessionCookie } from './cookie.ts'
import { tokenOf } from './credentials.ts'
import { type AuthMethods, currentMethod, type LoginAttempt } from './method.ts'
import { type SessionRouteDeps, sessionRoutes } from './session-routes.ts'
import type { Sessions } from './sessions.ts'
import { type SignupDeps, signupRoute } from './signup.ts'

export interface AuthDeps extends SignupDeps, SessionRouteDeps {
  guesses: Guesses
  authMethods: AuthMethods
}

/** Login, renewal, logout and sign-up (contract section 2), and the list of sessions. */
export function authRoutes(deps: AuthDeps): Route[] {
  const { sessions, config } = deps
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
      records: 'login',
      schema: LoginRequest,
      misfit: 'ignored',
      describes: {
        summary: 'Sign in',
        answers: {
          200: {
            text: 'The session token, which is also set as a cookie.',
            headers: { 'Set-Cookie': 'The token again, for links that a browser opens.' },
          },
          403: { text: 'Not these credentials, or none in the body where the method reads them there.' },
          429: { text: 'Too many wrong ones; later again.', headers: { 'Retry-After': 'Seconds to wait.' } },
          503: { text: 'Too many sign in at once.', headers: { 'Retry-After': 'Seconds to wait.' } },
        },
      },
      async handler(request, reply) {
        const { user, way } = await authenticate(deps, request)
        remark(request, { who: user })
        return hand(request, reply, await sessions.start(user, deviceOf(request), way))
      },
    },
    {
      method: ['GET', 'POST'],
      path: '/api/renew',
      access: 'user',
      records: 'nothing',
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
      records: 'logout',
      describes: {
        summary: 'End the session that calls',
        headers: { 'X-Auth': 'The session token; without one there is nothing to end.' },
        answers: { 204: { text: 'There is no such session any more.' } },
      },
      async handler(request, reply) {
        const token = tokenOf(request, { query: false })
        await endQuietly(sessions, request, token)
        return reply.header('Set-Cookie', clearedCookie(config.baseURL)).code(204).send()
      },
    },
    signupRoute(deps),
    ...sessionRoutes(deps),
  ]
}

/** Who signs in, and how. */
interface Newcomer {
  user: StoredUser
  way: AuditWay
}

/** Who signs in. The body decides only where people sign in on our page; elsewhere there is nothing to guess. */
async function authenticate({ db, authMethods, guesses }: AuthDeps, request: FastifyRequest): Promise<Newcomer> {
  const { method, settings } = await currentMethod(db, authMethods)
  if (method.loginPage && !request.body) throw new AppError('wrong_credentials')
  const way = settings.method === 'json' ? 'session' : settings.method
  const attempt = attemptOf(request)
  // A name that nobody has may be a password in the wrong field: it is not written down.
  remark(request, { way, who: await findUserByName(db, attempt.username) })
  const judge = () => method.authenticate(attempt, settings)
  if (!method.loginPage) return { way, user: await judge() }
  const guess = { door: 'login', subject: attempt.username } as const
  const user = await judgeSecret(guesses, request, guess, () => judge().catch(undefinedIfWrong))
  if (!user) throw new AppError('wrong_credentials')
  return { way, user }
}

function undefinedIfWrong(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'wrong_credentials') throw error
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
async function endQuietly(sessions: Sessions, request: FastifyRequest, token: string | undefined): Promise<void> {
  const session = token === undefined ? undefined : await sessions.resolve(token).catch(() => undefined)
  if (!session) return remark(request, { action: 'nothing' })
  remark(request, { who: session.user, way: session.way })
  await sessions.end(session.sessionId)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditWay } from '../../../shared/api/audit.ts'
import { LoginRequest } from '../../../shared/api/auth.ts'
import { FactorLogin } from '../../../shared/api/factors.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { callerOf, type Route, remark } from '../../routing/route.ts'
import { isWellFormed } from '../tokens/secret.ts'
import type { StoredToken } from '../tokens/tokens.store.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { findUserByName, type StoredUser } from '../users/users.store.ts'
import { deviceOf } from './client-info.ts'
import { type ConfirmRouteDeps, confirmRoutes } from './confirm-routes.ts'
import { clearedCookie, sendSessionToken, sendSignedOut } from './cookie.ts'
import { credentialOf } from './credentials.ts'
import { demandEnrolment } from './enrolment.ts'
import { enrolmentRoutes } from './enrolment-routes.ts'
import { type AuthMethods, currentMethod, type LoginAttempt, startOf } from './method.ts'
import { passkeyLoginRoutes } from './passkey-login.ts'
import { demandSecondStep, type SecondStepDeps, takeSecondStep } from './second-step.ts'
import { type SessionRouteDeps, sessionRoutes } from './session-routes.ts'
import type { SessionProvider, SessionStart } from './sessions.ts'
import { type SignupDeps, signupRoute } from './signup.ts'

export interface AuthDeps extends SignupDeps, SessionRouteDeps, ConfirmRouteDeps {
  config: SecondStepDeps['config'] & SessionRouteDeps['config']
  tokens: Tokens
  authMethods: AuthMethods
  /** Where a browser signs out of the OpenID provider of a session, if there is one. Never rejects. */
  providerLogout(request: FastifyRequest, sessionId: string): Promise<string | undefined>
  /** Ends the locks that a session took. */
  endLocks(userId: number, sessionId: string): Promise<void>
}

/** Login, renewal, logout and sign-up (http-api 2), and the list of sessions. */
export function authRoutes(deps: AuthDeps): Route[] {
  const { sessions, config } = deps
  const hand = (request: FastifyRequest, reply: FastifyReply, token: string) =>
    sendSessionToken(request, reply, token, config.baseURL)

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
            headers: {
              'Set-Cookie': 'The token again, for links that the browser opens.',
              'X-Factor-Due': 'When the user must have a second factor, who has none yet.',
            },
          },
          403: {
            text: 'Wrong credentials, no credentials in the body where the method reads them there, or no second factor; with `identity_refused` the directory knows the password, and its user may not come in.',
            headers: {
              'X-Provider': 'With `identity_refused`: the directory, percent-encoded.',
              'X-Problem': 'With `identity_refused`: why, as in section 27.',
              'X-Login-Ticket':
                'With `second_factor_required`: for `POST /api/login/factor`; with `second_factor_setup`: for `/api/login/enrol`.',
              'X-Factors': 'With `second_factor_required`: what may follow.',
            },
          },
          429: { text: 'Too many wrong attempts; retry later.', headers: { 'Retry-After': 'Seconds to wait.' } },
          503: {
            text: 'Too many concurrent sign-ins, or the directory of the user cannot be reached.',
            headers: {
              'Retry-After': 'Seconds to wait.',
              'X-Provider': 'With `provider_unavailable`: the directory, percent-encoded.',
              'X-Problem': 'With `provider_unavailable`: `away`.',
            },
          },
        },
      },
      async handler(request, reply) {
        const { user, ...start } = await authenticate(deps, [request, reply])
        remark(request, { who: user })
        return hand(request, reply, await sessions.start(user, deviceOf(request), start))
      },
    },
    factorRoute(deps, hand),
    ...passkeyLoginRoutes(deps),
    ...enrolmentRoutes(deps),
    {
      method: ['GET', 'POST'],
      path: '/api/renew',
      access: 'user',
      token: 'read',
      records: 'nothing',
      describes: {
        summary: 'Renew the token of the current session',
        answers: {
          200: {
            text: 'The new session token, which is also set as a cookie.',
            headers: { 'Set-Cookie': 'The token again.' },
          },
        },
      },
      async handler(request, reply) {
        const { sessionId, user, token } = callerOf(request)
        reply.header('X-Renew-Token', 'false')
        return hand(request, reply, await sessions.renew(sessionId, user, token))
      },
    },
    {
      method: 'POST',
      path: '/api/logout',
      access: 'public',
      records: 'logout',
      describes: {
        summary: 'End the current session',
        headers: { 'X-Auth': 'The session token; without one there is no session to end.' },
        answers: {
          204: {
            text: 'The session has ended.',
            headers: {
              'X-Logout-Location': 'Where a browser signs out of the OpenID provider as well.',
              'Clear-Site-Data': 'Where a session has ended: the browser drops the files that it has cached.',
            },
          },
        },
      },
      async handler(request, reply) {
        const credential = credentialOf(request, { query: false })
        const ended = await endQuietly(deps, request, credential?.secret)
        if (ended?.location !== undefined) reply.header('X-Logout-Location', ended.location)
        // Without a session a page of another site could make the browser clear its cache again and again.
        if (ended) return sendSignedOut(reply, config.baseURL)
        return reply.header('Set-Cookie', clearedCookie(config.baseURL)).code(204).send()
      },
    },
    ...confirmRoutes(deps),
    signupRoute(deps),
    ...sessionRoutes(deps),
  ]
}

const factorRoute = (
  deps: AuthDeps,
  hand: (request: FastifyRequest, reply: FastifyReply, token: string) => FastifyReply,
): Route => ({
  method: 'POST',
  path: '/api/login/factor',
  access: 'public',
  records: 'login',
  bodyLimit: LIMITS.passkeyBody,
  schema: FactorLogin,
  describes: {
    summary: 'Take the second step of a sign-in',
    answers: {
      200: {
        text: 'The session token, which is also set as a cookie.',
        headers: { 'Set-Cookie': 'The token again, for links that the browser opens.' },
      },
      403: {
        text: 'The code is wrong or used, the passkey is refused, or the ticket has ended.',
        headers: { 'X-Login-Ticket': 'The ticket for another attempt; without it the sign-in starts again.' },
      },
      429: { text: 'Too many wrong codes; retry later.', headers: { 'Retry-After': 'Seconds to wait.' } },
    },
  },
  async handler(request, reply) {
    const { user, start } = await takeSecondStep(deps, [request, reply])
    return hand(request, reply, await deps.sessions.start(user, deviceOf(request), start))
  },
})

/** A user who signs in, and the authentication method. */
interface SignedIn {
  user: StoredUser
  way: AuditWay
  /** The directory that checked the password, if one did. */
  from?: SessionProvider
  /** What was proven after the password. */
  second?: SessionStart['second']
  /** The personal API token that was sent as the password. */
  token?: StoredToken
}

/**
 * Authenticates a request. The body counts only where users sign in on the built-in page; elsewhere there is no secret
 * to guess.
 */
async function authenticate(deps: AuthDeps, [request, reply]: [FastifyRequest, FastifyReply]): Promise<SignedIn> {
  const { db, authMethods, throttle } = deps
  const attempt = attemptOf(request)
  if (isWellFormed(attempt.password)) return authenticateByToken(deps, request, attempt)
  const { method, settings } = await currentMethod(db, authMethods)
  if (method.loginPage && !request.body) throw new AppError('wrong_credentials')
  const way = settings.method === 'json' ? 'session' : settings.method
  // An unknown name may be a password typed into the wrong field: it is not logged.
  remark(request, { way, who: await findUserByName(db, attempt.username) })
  if (!method.loginPage) return { way, user: await method.authenticate(attempt, settings) }
  const code = (request.body as LoginRequest)?.otp ?? undefined
  const judge = async () => {
    const user = await method.authenticate(attempt, settings)
    const start = startOf(user, settings.method)
    remark(request, { way: start.way, who: user })
    const second = await demandSecondStep(deps, [request, reply], user, { code, start })
    await demandEnrolment(deps, reply, user, start)
    return { user, ...start, second }
  }
  const free = await method.freeGuesses?.(attempt.username)
  const guess = { kind: 'login', subject: attempt.username, free } as const
  const signedIn = await throttle.verify(request, guess, () => judge().catch(undefinedIfWrong))
  if (!signedIn) throw new AppError('wrong_credentials')
  return signedIn
}

/** With every method, a token of the account does instead of the password; the session is narrowed to it. */
async function authenticateByToken(
  { db, tokens, throttle }: AuthDeps,
  request: FastifyRequest,
  { username, password }: LoginAttempt,
): Promise<SignedIn> {
  remark(request, { way: 'apitoken', who: await findUserByName(db, username) })
  const judge = () => tokens.resolve(password, deviceOf(request), username).catch(undefinedIfWrong)
  const found = await throttle.verify(request, { kind: 'login', subject: username }, judge)
  if (!found) throw new AppError('wrong_credentials')
  return { way: 'apitoken', ...found }
}

const WRONG: readonly ErrorCode[] = ['wrong_credentials', 'unauthorized']

function undefinedIfWrong(error: unknown): undefined {
  if (!(error instanceof AppError) || !WRONG.includes(error.code)) throw error
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

/**
 * Logout is idempotent: an invalid token counts as logged out.
 * @returns where to sign out as well, if anywhere; `undefined` without a session
 */
async function endQuietly(
  { sessions, providerLogout, endLocks }: AuthDeps,
  request: FastifyRequest,
  token: string | undefined,
): Promise<{ location: string | undefined } | undefined> {
  const session = token === undefined ? undefined : await sessions.resolve(token).catch(() => undefined)
  if (!session) {
    remark(request, { action: 'nothing' })
    return undefined
  }
  remark(request, { who: session.user, way: session.way })
  const location = await providerLogout(request, session.sessionId)
  await sessions.end(session.sessionId)
  await endLocks(session.user.id, session.sessionId)
  return { location }
}

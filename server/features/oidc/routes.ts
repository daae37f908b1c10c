import type { FastifyReply, FastifyRequest } from 'fastify'
import { HandoverRequest } from '../../../shared/api/oidc.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { publicAddress } from '../../routing/public-address.ts'
import { parameterOf, queryOf, type Remark, type Route, rawBody, remark, sendStatus } from '../../routing/route.ts'
import { deviceOf } from '../auth/client-info.ts'
import { sendSessionToken, valueInCookie } from '../auth/cookie.ts'
import { demandSecondStep } from '../auth/second-step.ts'
import { countStart } from '../auth/sign-in-rate.ts'
import { SignInProblem } from '../identities/problem.ts'
import { findUser } from '../users/users.store.ts'
import { endFromProvider } from './logout.ts'
import type { OidcDeps } from './providers.ts'
import { beginSignIn, finishSignIn, newSecret, takeHandover } from './sign-in.ts'

/** Ties a sign-in to the browser that began it. */
const FLOW_COOKIE = 'flg_flow'
const SLUG = 'The short name of the provider.'
const LONGEST_REDIRECT = 2048

/** Sign-in with OpenID providers (http-api 27). */
export function oidcRoutes(deps: OidcDeps): Route[] {
  return [startRoute(deps), callbackRoute(deps), handoverRoute(deps), backchannelRoute(deps)]
}

const startRoute = (deps: OidcDeps): Route => ({
  method: 'GET',
  path: '/api/oidc/:slug/start',
  access: 'public',
  describes: {
    summary: 'Begin a sign-in with a provider',
    path: SLUG,
    query: { redirect: 'The page after the sign-in, as a path below the base URL.' },
    answers: {
      302: { text: 'The provider, or the login page with a problem.', headers: { Location: 'Where to go.' } },
      404: { text: 'There is no such provider.' },
      429: { text: 'Too many sign-ins from this network.', headers: { 'Retry-After': 'Seconds to wait.' } },
    },
    refuses: [400],
  },
  async handler(request, reply) {
    const client = await deps.providers.demand(parameterOf(request, 'slug'))
    await countStart(deps, request.ip)
    const redirect = safeRedirect(queryOf(request, 'redirect') ?? '')
    const address = publicAddress(request, deps.config)
    const redirectUri = `${address}/api/oidc/${client.settings.slug}/callback`
    const cookie = newSecret()
    try {
      const location = await beginSignIn(deps, client, { cookie, redirectUri, redirect })
      const secure = address.startsWith('https:') ? '; Secure' : ''
      const lifetime = LIMITS.loginFlowTime / 1000
      reply.header('Set-Cookie', `${flowCookie(deps, cookie)}; Max-Age=${lifetime}${secure}`)
      return reply.redirect(location, 302)
    } catch (error) {
      return sendProblem(deps, request, reply, { error, redirect })
    }
  },
})

const callbackRoute = (deps: OidcDeps): Route => ({
  method: 'GET',
  path: '/api/oidc/:slug/callback',
  access: 'public',
  records: 'login',
  describes: {
    summary: 'Return from a provider',
    path: SLUG,
    query: { code: 'Of the provider.', state: 'Of the sign-in.', error: 'Why the provider refused.' },
    answers: {
      302: { text: 'The login page, with a code or a problem.', headers: { Location: 'Where to go.' } },
      404: { text: 'There is no such provider.' },
    },
  },
  async handler(request, reply) {
    const client = await deps.providers.demand(parameterOf(request, 'slug'))
    const query = new URLSearchParams((request.raw.url ?? '').split('?').slice(1).join('?'))
    try {
      const finished = await finishSignIn(deps, client, { cookie: cookieOf(request), query })
      // The session begins with the handover.
      remark(request, { action: 'nothing' })
      const login = loginPage(deps, { redirect: finished.redirect })
      return reply.redirect(`${login}#handover=${finished.code}`, 302)
    } catch (error) {
      remark(request, refusalFor(error, client.settings.slug))
      return sendProblem(deps, request, reply, { error, redirect: '' })
    }
  },
})

const handoverRoute = (deps: OidcDeps): Route => ({
  method: 'POST',
  path: '/api/login/handover',
  access: 'public',
  records: 'login',
  schema: HandoverRequest,
  describes: {
    summary: 'Exchange the code of a completed sign-in for a session',
    answers: {
      200: {
        text: 'The session token, which is also set as a cookie.',
        headers: { 'Set-Cookie': 'The token again, for links that the browser opens.' },
      },
      403: {
        text: 'The code is wrong, used, or older than a minute, or it was made for another browser; or no second factor.',
        headers: { 'X-Login-Ticket': 'With `second_factor_required`: for `POST /api/login/factor`.' },
      },
    },
  },
  async handler(request, reply) {
    remark(request, { way: 'oidc' })
    const { code } = request.body as HandoverRequest
    const { client, handover } = await takeHandover(deps, { code, cookie: cookieOf(request) })
    const user = await findUser(deps.db, handover.userId)
    if (!user) throw new AppError('wrong_credentials')
    remark(request, { who: user, target: `provider:${client.settings.slug}` })
    const start = { way: 'oidc', longest: client.settings.maxSession, from: handover.from } as const
    reply.header('Set-Cookie', `${flowCookie(deps, '')}; Max-Age=0`)
    await demandSecondStep(deps, [request, reply], user, { start })
    const token = await deps.sessions.start(user, deviceOf(request), start)
    return sendSessionToken(request, reply, token, deps.config.baseURL)
  },
})

const backchannelRoute = (deps: OidcDeps): Route => ({
  method: 'POST',
  path: '/api/oidc/:slug/backchannel-logout',
  access: 'public',
  body: 'raw',
  records: 'session.end',
  describes: {
    summary: 'End sessions that a provider has ended',
    path: SLUG,
    takes: 'application/x-www-form-urlencoded',
    answers: {
      200: { text: 'The sessions that the token means have ended, if there were any.' },
      404: { text: 'There is no such provider.' },
      503: { text: 'The keys of the provider cannot be read.' },
    },
    refuses: [400, 413],
  },
  async handler(request, reply) {
    const client = await deps.providers.demand(parameterOf(request, 'slug'))
    const form = new URLSearchParams(await readForm(request))
    const [id] = await endFromProvider(deps, client, form.get('logout_token') ?? '')
    const who = id === undefined ? undefined : await findUser(deps.db, id)
    const target = `provider:${client.settings.slug}`
    remark(request, who ? { who, way: 'oidc', target } : { action: 'nothing' })
    return sendStatus(reply, 200)
  },
})

/** Requests without a sign-in under way leave no row in the audit log: anyone can send any number of them. */
function refusalFor(error: unknown, slug: string): Remark {
  const isUnknown = error instanceof SignInProblem && ['expired', 'mismatch'].includes(error.problem)
  if (isUnknown) return { action: 'nothing' }
  return { way: 'oidc', outcome: 'wrong_credentials', target: `provider:${slug}` }
}

/** @throws AppError `body_too_large` */
async function readForm(request: FastifyRequest): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of rawBody(request).stream as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > LIMITS.logoutToken) throw new AppError('body_too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

/** Sends the browser to the login page with the reason of a failure, which the log has in detail. */
function sendProblem(
  deps: OidcDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { error, redirect }: { error: unknown; redirect: string },
): FastifyReply {
  if (error instanceof AppError && error.code === 'unavailable') throw error
  const isKnown = error instanceof SignInProblem
  const problem = isKnown ? error.problem : 'internal'
  const facts = { provider: parameterOf(request, 'slug'), problem, client: request.ip }
  if (isKnown) request.log.warn({ ...facts, reason: error.message }, 'a sign-in with a provider was refused')
  else request.log.error({ ...facts, err: error }, 'a sign-in with a provider failed')
  return reply.redirect(loginPage(deps, { redirect, problem, provider: parameterOf(request, 'slug') }), 302)
}

/** The login page, with some of these in its query. */
function loginPage({ config }: OidcDeps, given: Record<string, string>): string {
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''))
  return `${config.baseURL}/login${query.size === 0 ? '' : `?${query}`}`
}

/** A path of this site; `''` for any other address. The page checks it as well. */
function safeRedirect(redirect: string): string {
  const isPath = /^\/(?![/\\])[^\\\0-\x1f\x7f]*$/.test(redirect)
  return isPath && redirect.length <= LONGEST_REDIRECT ? redirect : ''
}

const flowCookie = ({ config }: OidcDeps, value: string) =>
  `${FLOW_COOKIE}=${value}; Path=${config.baseURL}/api/; HttpOnly; SameSite=Lax`

const cookieOf = ({ headers }: FastifyRequest) => valueInCookie(headers.cookie, FLOW_COOKIE) ?? ''

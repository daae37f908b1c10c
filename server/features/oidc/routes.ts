import type { FastifyRequest } from 'fastify'
import { HandoverRequest } from '../../../shared/api/oidc.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { parameterOf, queryOf, type Remark, type Route, rawBody, remark, sendStatus } from '../../routing/route.ts'
import { deviceOf } from '../auth/client-info.ts'
import { sendSessionToken } from '../auth/cookie.ts'
import { demandEnrolment } from '../auth/enrolment.ts'
import { demandSecondStep } from '../auth/second-step.ts'
import { countStart } from '../auth/sign-in-rate.ts'
import { SignInProblem } from '../identities/problem.ts'
import type { ConfirmDeps } from '../users/confirm-password.ts'
import { findUser } from '../users/users.store.ts'
import { cookieOf, flowCookie, leave, loginPage, safeRedirect, sendProblem, withQuery } from './browser.ts'
import { confirmRoute } from './confirm-route.ts'
import { isFactorProven } from './factor-proof.ts'
import { linkRoute } from './link-route.ts'
import { endFromProvider } from './logout.ts'
import type { ProviderClient } from './provider-client.ts'
import { type OidcDeps, targetOf } from './providers.ts'
import { type Finished, finishSignIn, keepForHandover, takeHandover, takeSignIn } from './sign-in.ts'
import { triedPage } from './trial.ts'
import { providerTrialRoute } from './trial-route.ts'

const SLUG = 'The short name of the provider.'

/** Sign-in with OpenID providers, trying them, linking accounts with them and confirming by them (http-api 27, 45, 46). */
export function oidcRoutes(deps: OidcDeps & ConfirmDeps): Route[] {
  return [
    startRoute(deps),
    linkRoute(deps),
    confirmRoute(deps),
    providerTrialRoute(deps),
    callbackRoute(deps),
    handoverRoute(deps),
    backchannelRoute(deps),
  ]
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
    try {
      return reply.redirect(await leave(deps, [request, reply], client, { redirect }), 302)
    } catch (error) {
      return sendProblem([request, reply], { error, page: loginPage(deps, { redirect }) })
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
      302: {
        text: 'The login page, with a code or a problem; or the page that began a link, a confirmation or a trial.',
        headers: { Location: 'Where to go.' },
      },
      404: { text: 'There is no such provider.' },
    },
  },
  async handler(request, reply) {
    const client = await deps.providers.demand(parameterOf(request, 'slug'))
    const query = new URLSearchParams((request.raw.url ?? '').split('?').slice(1).join('?'))
    const cookie = cookieOf(request)
    let page = loginPage(deps, {})
    try {
      const flow = await takeSignIn(deps, client, { cookie, state: query.get('state') ?? '' })
      if (flow.trial) {
        remark(request, { action: 'nothing' })
        return reply.redirect(await triedPage(deps, client, { flow, query, trial: flow.trial }), 302)
      }
      const { slug } = client.settings
      if (flow.linking || flow.confirming) page = `${deps.config.baseURL}${flow.redirect}`
      const finished = await finishSignIn(deps, client, { flow, query })
      remark(request, changeBy(finished, client, { isLink: flow.linking !== undefined }))
      if (flow.linking) return reply.redirect(withQuery(page, { linked: slug }), 302)
      if (flow.confirming) {
        await deps.sessions.confirm(flow.confirming.sessionId, finished.from)
        return reply.redirect(withQuery(page, { confirmed: slug }), 302)
      }
      const code = await keepForHandover(deps, client, { ...finished, cookie })
      return reply.redirect(`${loginPage(deps, { redirect: flow.redirect })}#handover=${code}`, 302)
    } catch (error) {
      remark(request, refusalFor(error, client))
      return sendProblem([request, reply], { error, page })
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
        headers: {
          'Set-Cookie': 'The token again, for links that the browser opens.',
          'X-Factor-Due': 'When the user must have a second factor, who has none yet.',
        },
      },
      403: {
        text: 'The code is wrong, used, or older than a minute, or it was made for another browser; or no second factor.',
        headers: {
          'X-Login-Ticket':
            'With `second_factor_required`: for `POST /api/login/factor`; with `second_factor_setup`: for `/api/login/enrol`.',
        },
      },
    },
  },
  async handler(request, reply) {
    remark(request, { way: 'oidc' })
    const { code } = request.body as HandoverRequest
    const { client, handover } = await takeHandover(deps, { code, cookie: cookieOf(request) })
    const user = await findUser(deps.db, handover.userId)
    if (!user) throw new AppError('wrong_credentials')
    remark(request, { who: user, target: targetOf(client) })
    const start = { way: 'oidc', longest: client.settings.maxSession, from: handover.from } as const
    reply.header('Set-Cookie', `${flowCookie(deps, '')}; Max-Age=0`)
    const hasFactor = await isFactorProven(deps.db, client.settings, handover)
    if (!hasFactor) {
      await demandSecondStep(deps, [request, reply], user, { start })
      await demandEnrolment(deps, reply, user, start)
    }
    const from = { ...start.from, hasFactor }
    const token = await deps.sessions.start(user, deviceOf(request), { ...start, from })
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
    remark(request, who ? { who, way: 'oidc', target: targetOf(client) } : { action: 'nothing' })
    return sendStatus(reply, 200)
  },
})

/** What a sign-in changes at the account. The session itself begins with the handover. */
function changeBy(
  { user: who, hasJoined, formerName }: Finished,
  client: ProviderClient,
  { isLink }: { isLink: boolean },
): Remark {
  if (isLink || hasJoined) return { action: 'identity.link', who, way: 'oidc', target: targetOf(client) }
  return formerName === undefined
    ? { action: 'nothing' }
    : { action: 'user.change', who, way: 'oidc', target: `name: ${formerName}` }
}

/** Requests without a sign-in under way leave no row in the audit log: anyone can send any number of them. */
function refusalFor(error: unknown, client: ProviderClient): Remark {
  const isUnknown = error instanceof SignInProblem && ['expired', 'mismatch'].includes(error.problem)
  if (isUnknown) return { action: 'nothing' }
  return { way: 'oidc', outcome: 'wrong_credentials', target: targetOf(client) }
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

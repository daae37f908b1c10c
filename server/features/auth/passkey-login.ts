import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PasskeyLogin, PasskeyOptions, PasskeyTicket } from '../../../shared/api/passkeys.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { type Route, remark } from '../../routing/route.ts'
import { siteOf } from '../factors/site.ts'
import type { Challenge } from '../factors/webauthn.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import { findUser } from '../users/users.store.ts'
import { deviceOf } from './client-info.ts'
import { sendSessionToken } from './cookie.ts'
import { insertFlow, takeFlow } from './flows.store.ts'
import { askForPasskey, type SecondStepDeps } from './second-step.ts'
import type { Sessions } from './sessions.ts'
import { countStart } from './sign-in-rate.ts'

export interface PasskeyLoginDeps extends SecondStepDeps {
  sessions: Sessions
}

const OPTIONS = { text: 'What the browser needs, and the ticket for the next call.', schema: PasskeyOptions }

/** Sign-in with a passkey: alone, or after the password (http-api 34). */
export function passkeyLoginRoutes(deps: PasskeyLoginDeps): Route[] {
  return [optionsRoute(deps), loginRoute(deps), secondRoute(deps)]
}

const optionsRoute = (deps: PasskeyLoginDeps): Route => ({
  method: 'POST',
  path: '/api/login/passkey/options',
  access: 'public',
  records: 'nothing',
  describes: {
    summary: 'Begin a sign-in with a passkey alone',
    answers: {
      200: OPTIONS,
      400: { text: 'Browsers refuse passkeys at this address.' },
      403: { text: 'Users do not sign in on the built-in page.' },
      429: { text: 'Too many sign-ins from this network.', headers: { 'Retry-After': 'Seconds to wait.' } },
    },
  },
  async handler(request, reply) {
    await demandPasswordMethod(deps)
    const site = siteOf(request, deps.config)
    if (!site) throw new AppError('bad_request', 'passkeys need HTTPS and a host name')
    await countStart(deps, request.ip)
    const { options, challenge } = await deps.factors.passkeys.ask(site)
    const ticket = randomBytes(32).toString('base64url')
    const flow = { kind: 'passkey', provider: '', cookie: '', data: challenge } as const
    await insertFlow<Challenge>(deps, ticket, flow, LIMITS.factorTicketTime)
    return unstored(reply).send({ ticket, options: { ...options } } satisfies PasskeyOptions)
  },
})

const loginRoute = (deps: PasskeyLoginDeps): Route => ({
  method: 'POST',
  path: '/api/login/passkey',
  access: 'public',
  records: 'login',
  bodyLimit: LIMITS.passkeyBody,
  schema: PasskeyLogin,
  describes: {
    summary: 'Sign in with a passkey alone',
    answers: {
      200: {
        text: 'The session token, which is also set as a cookie.',
        headers: { 'Set-Cookie': 'The token again, for links that the browser opens.' },
      },
      403: { text: 'The passkey is unknown or refused, or the ticket has ended.' },
    },
  },
  async handler(request, reply) {
    remark(request, { way: 'passkey' })
    await demandPasswordMethod(deps)
    const user = await userOf(deps, request)
    remark(request, { who: user, target: 'passkey' })
    const token = await deps.sessions.start(user, deviceOf(request), { way: 'passkey' })
    return sendSessionToken(request, reply, token, deps.config.baseURL)
  },
})

const secondRoute = (deps: PasskeyLoginDeps): Route => ({
  method: 'POST',
  path: '/api/login/factor/passkey',
  access: 'public',
  records: 'nothing',
  schema: PasskeyTicket,
  describes: {
    summary: 'Ask for a passkey as the second step of a sign-in',
    answers: {
      200: OPTIONS,
      403: {
        text: 'The ticket has ended, or the user has no passkey for this address.',
        headers: { 'X-Login-Ticket': 'The ticket for another factor.' },
      },
    },
  },
  async handler(request, reply) {
    const asked = await askForPasskey(deps, [request, reply])
    return unstored(reply).send(asked)
  },
})

/** A proxy or a hook decides itself who may sign in. @throws AppError `forbidden` */
async function demandPasswordMethod({ db }: PasskeyLoginDeps): Promise<void> {
  if ((await readAuthSettings(db)).method !== 'json') throw new AppError('forbidden')
}

/** @throws AppError `wrong_credentials`, alike for whatever is wrong */
async function userOf(deps: PasskeyLoginDeps, request: FastifyRequest) {
  const { ticket, response } = request.body as PasskeyLogin
  // The challenge counts once, also for a response that is refused.
  const challenge = (await takeFlow<Challenge>(deps, 'passkey', ticket))?.data
  const userId = challenge && (await deps.factors.passkeys.check(challenge, response))
  const user = userId === undefined ? undefined : await findUser(deps.db, userId)
  if (!user) throw new AppError('wrong_credentials')
  return user
}

const unstored = (reply: FastifyReply) => reply.header('Cache-Control', 'no-store')

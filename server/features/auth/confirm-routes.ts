import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { PresenceProof } from '../../../shared/api/factors.ts'
import { PasskeyOptions } from '../../../shared/api/passkeys.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { callerOf, type Route } from '../../routing/route.ts'
import { siteOf } from '../factors/site.ts'
import type { Challenge } from '../factors/webauthn.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import { type ConfirmDeps, isOwnPassword } from '../users/confirm-password.ts'
import { insertFlow, takeFlow } from './flows.store.ts'
import type { SecondStepDeps } from './second-step.ts'
import type { Sessions } from './sessions.ts'

export interface ConfirmRouteDeps extends SecondStepDeps, ConfirmDeps {
  sessions: Sessions
}

/** A passkey that a session was asked for. */
interface Asked {
  sessionId: string
  challenge: Challenge
}

/** Users prove to be present; for a while their session then needs no `current_password` (http-api 46). */
export const confirmRoutes = (deps: ConfirmRouteDeps): Route[] => [confirmRoute(deps), optionsRoute(deps)]

const confirmRoute = (deps: ConfirmRouteDeps): Route => ({
  method: 'POST',
  path: '/api/account/confirm',
  access: 'user',
  token: 'none',
  records: 'nothing',
  bodyLimit: LIMITS.passkeyBody,
  schema: PresenceProof,
  describes: {
    summary: 'Confirm sensitive calls of the session in advance',
    answers: {
      204: { text: 'For ten minutes, calls of this session need no `current_password`.' },
      403: { text: 'The password or the code is wrong, or the passkey is refused.' },
    },
    refuses: [429],
  },
  async handler(request, reply) {
    const { sessionId } = callerOf(request)
    const isProven = judgeOf(deps, request)
    // Elsewhere nothing asks for a confirmation.
    const { method } = await readAuthSettings(deps.db)
    if (method === 'json' && !(await isProven())) throw new AppError('wrong_credentials')
    await deps.sessions.confirm(sessionId)
    return reply.code(204).send()
  },
})

const optionsRoute = (deps: ConfirmRouteDeps): Route => ({
  method: 'POST',
  path: '/api/account/confirm/options',
  access: 'user',
  token: 'none',
  records: 'nothing',
  describes: {
    summary: 'Ask for a passkey as a confirmation',
    answers: {
      200: { text: 'What the browser needs, and the ticket for the confirmation.', schema: PasskeyOptions },
      400: { text: 'Browsers refuse passkeys at this address.' },
      404: { text: 'The caller has no passkey for this address.' },
    },
  },
  async handler(request, reply) {
    const { sessionId, user } = callerOf(request)
    const site = siteOf(request, deps.config)
    if (!site) throw new AppError('bad_request', 'passkeys need HTTPS and a host name')
    const asked = await deps.factors.passkeys.askOf(user.id, site)
    if (!asked) throw new AppError('not_found')
    const ticket = randomBytes(32).toString('base64url')
    const flow = { kind: 'confirm', provider: '', cookie: '', data: { sessionId, challenge: asked.challenge } } as const
    await insertFlow<Asked>(deps, ticket, flow, LIMITS.factorTicketTime)
    return reply
      .header('Cache-Control', 'no-store')
      .send({ ticket, options: { ...asked.options } } satisfies PasskeyOptions)
  },
})

/** The check of the one proof in the body. @throws AppError `bad_request` unless there is one */
function judgeOf(deps: ConfirmRouteDeps, request: FastifyRequest): () => Promise<boolean> {
  const { current_password: password, code, passkey, ticket } = request.body as PresenceProof
  const { user, sessionId } = callerOf(request)
  if ([password, code, passkey].filter(proof => proof != null).length !== 1)
    throw new AppError('bad_request', 'current_password: or a code, or a passkey must be given')
  if (password != null) return () => isOwnPassword(deps, request, password)
  if (code != null) return isGuess(deps, request, () => deps.factors.checkApp(user.id, code))
  if (passkey == null || ticket == null) throw new AppError('bad_request', 'ticket: is missing')
  return isGuess(deps, request, async () => {
    // The challenge counts once, also for a response that is refused.
    const asked = (await takeFlow<Asked>(deps, 'confirm', ticket))?.data
    if (asked?.sessionId !== sessionId) return false
    return (await deps.factors.passkeys.check(asked.challenge, passkey, user.id)) !== undefined
  })
}

/** A check whose failures count as those of the second step of a sign-in. */
const isGuess =
  ({ throttle }: ConfirmRouteDeps, request: FastifyRequest, judge: () => Promise<boolean>) =>
  async () => {
    const guess = { kind: 'otp', subject: String(callerOf(request).user.id) } as const
    return (await throttle.verify(request, guess, async () => (await judge()) || undefined)) === true
  }

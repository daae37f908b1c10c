import { randomBytes } from 'node:crypto'
import { FactorConfirmation } from '../../../shared/api/factors.ts'
import { MadePasskey, NewPasskey, PasskeyInfo, PasskeyLabel, PasskeyOptions } from '../../../shared/api/passkeys.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { AddressConfig } from '../../routing/public-address.ts'
import { callerOf, parameterOf, type Route, remark } from '../../routing/route.ts'
import { renamePasskey } from '../factors/passkeys.store.ts'
import type { Enrolment } from '../factors/passkeys.ts'
import { toInfo } from '../factors/passkeys.ts'
import { confirmed, type FactorRouteDeps, isBound, refuseWithoutLoginPage, unstored } from '../factors/routes.ts'
import { siteOf } from '../factors/site.ts'
import { readSettings } from '../settings/settings.store.ts'
import { demandOwnWay } from '../users/accounts.ts'
import { type FlowDeps, insertFlow, takeFlow } from './flows.store.ts'

export interface PasskeyRouteDeps extends FactorRouteDeps, FlowDeps {
  config: AddressConfig
}

/** A passkey that a session is making. */
interface Making extends Enrolment {
  userId: number
  sessionId: string
}

/** Users make, name and remove their own passkeys (http-api 34). */
export function passkeyRoutes(deps: PasskeyRouteDeps): Route[] {
  return [optionsRoute(deps), addRoute(deps), renameRoute(deps), removeRoute(deps)]
}

const optionsRoute = (deps: PasskeyRouteDeps): Route => ({
  method: 'POST',
  path: '/api/account/passkeys/options',
  access: 'user',
  token: 'none',
  records: 'nothing',
  schema: FactorConfirmation,
  describes: {
    summary: 'Begin to make a passkey',
    answers: {
      200: { text: 'What the browser needs, and the ticket for the next call.', schema: PasskeyOptions },
      409: { text: 'The caller has the most that are allowed.' },
    },
    refuses: [400, 403, 429],
  },
  async handler(request, reply) {
    await refuseWithoutLoginPage(deps)
    await confirmed(deps, request)
    const site = siteOf(request, deps.config)
    if (!site) throw new AppError('bad_request', 'passkeys need HTTPS and a host name')
    const { user, sessionId } = callerOf(request)
    const issuer = (await readSettings(deps.db)).branding.name || 'Filigree'
    const { options, enrolment } = await deps.factors.passkeys.begin(user, site, issuer)
    const ticket = randomBytes(32).toString('base64url')
    const data = { ...enrolment, userId: user.id, sessionId }
    const flow = { kind: 'enrolment', provider: '', cookie: '', data } as const
    await insertFlow<Making>(deps, ticket, flow, LIMITS.factorTicketTime)
    return unstored(reply).send({ ticket, options: { ...options } } satisfies PasskeyOptions)
  },
})

const addRoute = (deps: PasskeyRouteDeps): Route => ({
  method: 'POST',
  path: '/api/account/passkeys',
  access: 'user',
  token: 'none',
  records: 'factor.add',
  bodyLimit: LIMITS.passkeyBody,
  schema: NewPasskey,
  describes: {
    summary: 'Add the passkey that the browser has made',
    answers: {
      201: { text: 'The passkey. The other sessions of the caller have ended.', schema: MadePasskey },
      403: { text: 'The ticket has ended, or is of another session.' },
      409: { text: 'The passkey is known already.' },
    },
  },
  async handler(request, reply) {
    const { ticket, label, response } = request.body as NewPasskey
    remark(request, { target: `passkey ${label}` })
    const { user, sessionId } = callerOf(request)
    const making = (await takeFlow<Making>(deps, 'enrolment', ticket))?.data
    if (making?.userId !== user.id || making.sessionId !== sessionId) throw new AppError('forbidden')
    const made = await deps.factors.addPasskey(user.id, making, { label, response })
    await deps.endSessions(user.id, { but: sessionId })
    return unstored(reply).code(201).send(made)
  },
})

const renameRoute = (deps: PasskeyRouteDeps): Route => ({
  method: 'PATCH',
  path: '/api/account/passkeys/:id',
  access: 'user',
  token: 'none',
  records: 'factor.change',
  schema: PasskeyLabel,
  describes: {
    summary: 'Rename a passkey of the caller',
    path: 'The id of the passkey.',
    answers: { 200: { text: 'The passkey.', schema: PasskeyInfo } },
    refuses: [404],
  },
  async handler(request): Promise<PasskeyInfo> {
    const { label } = request.body as PasskeyLabel
    remark(request, { target: `passkey ${label}` })
    const passkey = await renamePasskey(deps.db, callerOf(request).user.id, parameterOf(request, 'id'), label)
    if (!passkey) throw new AppError('not_found')
    return toInfo(passkey)
  },
})

const removeRoute = (deps: PasskeyRouteDeps): Route => ({
  method: 'DELETE',
  path: '/api/account/passkeys/:id',
  access: 'user',
  token: 'none',
  records: 'factor.remove',
  schema: FactorConfirmation,
  describes: {
    summary: 'Remove a passkey of the caller',
    path: 'The id of the passkey.',
    answers: { 204: { text: 'It signs in no more. The other sessions of the caller have ended.' } },
    refuses: [403, 404, 429],
  },
  async handler(request, reply) {
    await confirmed(deps, request)
    const { user, sessionId } = callerOf(request)
    const { length } = (await deps.factors.status(user.id)).passkeys
    await demandOwnWay(deps.db, user.id, length - 1)
    const label = await deps.factors.removePasskey(user.id, parameterOf(request, 'id'), await isBound(deps, user.id))
    remark(request, { target: `passkey ${label}` })
    await deps.endSessions(user.id, { but: sessionId })
    return reply.code(204).send()
  },
})

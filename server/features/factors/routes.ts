import type { FastifyReply, FastifyRequest } from 'fastify'
import { FactorConfirmation, FactorStatus, NewTotp, RecoveryCodes, TotpCode } from '../../../shared/api/factors.ts'
import { AppError } from '../../errors.ts'
import { callerOf, type Route, remark } from '../../routing/route.ts'
import { readAuthSettings, readSettings } from '../settings/settings.store.ts'
import { demandOwnWay } from '../users/accounts.ts'
import { demandUserIn } from '../users/addressed-user.ts'
import { type ConfirmDeps, confirmCaller } from '../users/confirm-password.ts'
import { findUser, hasLocalPassword, passwordSetAt, type StoredUser } from '../users/users.store.ts'
import type { Factors } from './factors.ts'
import { otpauthOf } from './totp.ts'

export interface FactorRouteDeps extends ConfirmDeps {
  factors: Factors
  /** Who must have a second factor. */
  duty: {
    binds(user: StoredUser): Promise<boolean>
    dueAt(user: StoredUser): Promise<number | undefined>
    dueIn(user: StoredUser, sessionId: string): Promise<number | undefined>
  }
  /** @param which.but the session that continues */
  endSessions(userId: number, which?: { but?: string }): Promise<void>
}

/** Users set up their own second factors, administrators remove those of others (http-api 30). */
export function factorRoutes(deps: FactorRouteDeps): Route[] {
  return [
    statusRoute(deps),
    beginRoute(deps),
    confirmRoute(deps),
    removeRoute(deps),
    codesRoute(deps),
    otherRoute(deps),
    resetRoute(deps),
  ]
}

const statusRoute = (deps: FactorRouteDeps): Route => ({
  method: 'GET',
  path: '/api/account/factors',
  access: 'user',
  token: 'none',
  describes: {
    summary: 'Get the caller’s second factors',
    answers: { 200: { text: 'What a sign-in asks for after the password.', schema: FactorStatus } },
  },
  handler: request => {
    const { user, sessionId } = callerOf(request)
    return statusOf(deps, user.id, sessionId)
  },
})

const beginRoute = (deps: FactorRouteDeps): Route => ({
  method: 'POST',
  path: '/api/account/totp',
  access: 'user',
  token: 'none',
  records: 'nothing',
  schema: FactorConfirmation,
  describes: {
    summary: 'Begin to set up an authenticator app',
    answers: {
      200: { text: 'The secret for the app. It counts once a code of it was confirmed.', schema: NewTotp },
      409: { text: 'There is an app already.' },
    },
    refuses: [403, 429],
  },
  async handler(request, reply) {
    await refuseWithoutLoginPage(deps)
    await confirmed(deps, request)
    const { user } = callerOf(request)
    const secret = await deps.factors.begin(user.id)
    const issuer = (await readSettings(deps.db)).branding.name || 'Filigree'
    const address = otpauthOf({ secret, issuer, username: user.username })
    return unstored(reply).send({ secret, address } satisfies NewTotp)
  },
})

const confirmRoute = (deps: FactorRouteDeps): Route => ({
  method: 'POST',
  path: '/api/account/totp/confirm',
  access: 'user',
  token: 'none',
  records: 'factor.add',
  schema: TotpCode,
  describes: {
    summary: 'Turn on an authenticator app with its first code',
    answers: {
      200: {
        text: 'Recovery codes; none if there are some, from a passkey. The other sessions of the caller have ended.',
        schema: RecoveryCodes,
      },
      404: { text: 'No app is being set up.' },
    },
  },
  async handler(request, reply) {
    const { user, sessionId } = callerOf(request)
    remark(request, { target: 'totp' })
    const codes = await deps.factors.confirm(user.id, (request.body as TotpCode).code)
    await deps.endSessions(user.id, { but: sessionId })
    return unstored(reply).send({ codes } satisfies RecoveryCodes)
  },
})

const removeRoute = (deps: FactorRouteDeps): Route => ({
  method: 'DELETE',
  path: '/api/account/totp',
  access: 'user',
  token: 'none',
  records: 'factor.remove',
  schema: FactorConfirmation,
  describes: {
    summary: 'Turn off the authenticator app',
    answers: { 204: { text: 'The app does not count any more. The other sessions of the caller have ended.' } },
    refuses: [403, 404, 429],
  },
  async handler(request, reply) {
    remark(request, { target: 'totp' })
    await confirmed(deps, request)
    const { user, sessionId } = callerOf(request)
    await deps.factors.removeApp(user.id, await isBound(deps, user.id))
    await deps.endSessions(user.id, { but: sessionId })
    return reply.code(204).send()
  },
})

const codesRoute = (deps: FactorRouteDeps): Route => ({
  method: 'POST',
  path: '/api/account/recovery',
  access: 'user',
  token: 'none',
  records: 'factor.change',
  schema: FactorConfirmation,
  describes: {
    summary: 'Replace the recovery codes',
    answers: {
      200: { text: 'New codes; the ones before have ended.', schema: RecoveryCodes },
      404: { text: 'The caller has no second factor.' },
    },
    refuses: [403, 429],
  },
  async handler(request, reply) {
    remark(request, { target: 'recovery codes' })
    await confirmed(deps, request)
    const codes = await deps.factors.renewCodes(callerOf(request).user.id)
    return unstored(reply).send({ codes } satisfies RecoveryCodes)
  },
})

const otherRoute = (deps: FactorRouteDeps): Route => ({
  method: 'GET',
  path: '/api/users/:id/factors',
  access: 'admin',
  token: 'none',
  describes: {
    summary: 'Get the second factors of a user',
    path: 'The number of the user.',
    answers: { 200: { text: 'What a sign-in asks for after the password.', schema: FactorStatus } },
    refuses: [404],
  },
  handler: async request => statusOf(deps, (await demandUserIn(deps.db, request)).id),
})

const resetRoute = (deps: FactorRouteDeps): Route => ({
  method: 'DELETE',
  path: '/api/users/:id/factors',
  access: 'admin',
  token: 'none',
  records: 'factor.remove',
  schema: FactorConfirmation,
  describes: {
    summary: 'Remove the second factors of a user',
    path: 'The number of the user.',
    answers: { 204: { text: 'The password alone signs in. The sessions of the user have ended.' } },
    refuses: [403, 404, 429],
  },
  async handler(request, reply) {
    const user = await demandUserIn(deps.db, request)
    remark(request, { target: user.username })
    await confirmed(deps, request)
    await demandOwnWay(deps.db, user.id, 0)
    if (!(await deps.factors.reset(user.id))) throw new AppError('not_found')
    const { sessionId } = callerOf(request)
    await deps.endSessions(user.id, { but: sessionId })
    return reply.code(204).send()
  },
})

/** Where no page asks for a password, none asks for a code. @throws AppError `forbidden` */
export async function refuseWithoutLoginPage({ db }: Pick<FactorRouteDeps, 'db'>): Promise<void> {
  const { method } = await readAuthSettings(db)
  if (method === 'proxy' || method === 'noauth') throw new AppError('forbidden')
}

export function confirmed(deps: ConfirmDeps, request: FastifyRequest): Promise<void> {
  const body = request.body as FactorConfirmation
  return confirmCaller(deps, { request, password: body?.current_password })
}

/** @param sessionId of the user, if it is the user who asks */
async function statusOf(
  { db, factors, duty }: FactorRouteDeps,
  userId: number,
  sessionId?: string,
): Promise<FactorStatus> {
  const user = await findUser(db, userId)
  const due = user && (await (sessionId === undefined ? duty.dueAt(user) : duty.dueIn(user, sessionId)))
  const status = await factors.status(userId)
  const password = timeOf(await passwordSetAt(db, userId))
  const hasPassword = user !== undefined && (await hasLocalPassword(db, user))
  return { ...status, due: timeOf(due), password, hasPassword }
}

const timeOf = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString())

/** Whether a user must have a second factor. */
export async function isBound({ db, duty }: FactorRouteDeps, userId: number): Promise<boolean> {
  const user = await findUser(db, userId)
  return user !== undefined && duty.binds(user)
}

/** Secrets stay out of every cache. */
export const unstored = (reply: FastifyReply) => reply.header('Cache-Control', 'no-store')

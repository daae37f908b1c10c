import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditWay } from '../../../shared/api/audit.ts'
import type { FactorLogin } from '../../../shared/api/factors.ts'
import type { PasskeyOptions, PasskeyTicket } from '../../../shared/api/passkeys.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import type { AddressConfig } from '../../routing/public-address.ts'
import { remark } from '../../routing/route.ts'
import type { Factors, Proof } from '../factors/factors.ts'
import { siteOf } from '../factors/site.ts'
import type { Challenge } from '../factors/webauthn.ts'
import type { PasswordThrottle } from '../users/password-throttle.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import { type FlowDeps, insertFlow, takeFlow } from './flows.store.ts'
import { isKnownDevice, rememberDevice } from './known-devices.ts'
import type { SessionStart } from './sessions.ts'

export interface SecondStepDeps extends FlowDeps {
  factors: Factors
  throttle: PasswordThrottle
  config: AddressConfig
}

/** How the session of a sign-in begins later. */
export type WaitingStart = SessionStart & { way: AuditWay }

/** A sign-in that waits for its second step. */
interface Waiting {
  userId: number
  /** Wrong codes so far. */
  misses: number
  /** For the passkey that was asked for last. */
  challenge?: Challenge
  start: WaitingStart
  endsAt: number
}

/** Continues a sign-in whose first step succeeded. */
export const TICKET_HEADER = 'X-Login-Ticket'

/**
 * Demands the second factor of a user who has one, before a session starts. A remembered browser takes its place.
 * @param code of the app, or a recovery code; `undefined` if none was sent
 * @returns what was proven; nothing for a user who has none
 * @throws AppError `second_factor_required` without a code, with a ticket for it; `wrong_credentials`,
 *   `too_many_attempts`
 */
export async function demandSecondStep(
  deps: SecondStepDeps,
  [request, reply]: [FastifyRequest, FastifyReply],
  user: StoredUser,
  { code, start }: { code?: string | undefined; start: WaitingStart },
): Promise<SessionStart['second']> {
  if (!(await deps.factors.isOn(user.id))) return undefined
  if (code === undefined && (await isKnownDevice(deps, [request, reply], user.id))) return 'device'
  if (code === undefined) {
    const waiting = { userId: user.id, misses: 0, start, endsAt: Date.now() + LIMITS.factorTicketTime }
    reply.header(TICKET_HEADER, await issue(deps, waiting)).header('X-Factors', await factorsOf(deps, request, user.id))
    throw new AppError('second_factor_required')
  }
  const proof = await prove(deps, request, user.id, () => deps.factors.check(user.id, code))
  noteProof(request, proof)
  return proof
}

/**
 * Takes the second step of a sign-in. A ticket for another attempt after a wrong code is in the header of the
 * response again.
 * @throws AppError `wrong_credentials`, `too_many_attempts`
 */
export async function takeSecondStep(
  deps: SecondStepDeps,
  [request, reply]: [FastifyRequest, FastifyReply],
): Promise<{ user: StoredUser; start: WaitingStart }> {
  const { ticket, code, passkey, remember } = request.body as FactorLogin
  if (typeof code === 'string' && passkey) throw new AppError('bad_request', 'passkey: takes the place of a code')
  if (typeof code !== 'string' && !passkey) throw new AppError('bad_request', 'code: is missing')
  // Guesses with the same ticket at once find nothing.
  const waiting = (await takeFlow<Waiting>(deps, 'factor', ticket))?.data
  const user = waiting && (await findUser(deps.db, waiting.userId))
  if (!user) throw new AppError('wrong_credentials')
  remark(request, { who: user, way: waiting.start.way })
  const { challenge, ...rest } = waiting
  const judge = async (): Promise<Proof | undefined> => {
    if (!passkey) return deps.factors.check(user.id, code ?? '')
    const known = challenge && (await deps.factors.passkeys.check(challenge, passkey, user.id))
    return known === undefined ? undefined : 'passkey'
  }
  const proof = await prove(deps, request, user.id, judge).catch(async (error: unknown) => {
    const isWrong = error instanceof AppError && error.code === 'wrong_credentials'
    const misses = waiting.misses + (isWrong ? 1 : 0)
    if (misses < LIMITS.factorTries) reply.header(TICKET_HEADER, await issue(deps, { ...rest, misses }))
    throw error
  })
  noteProof(request, proof)
  // A recovery code is for the loss of a factor: no browser stays without one.
  if (remember === true && proof !== 'recovery') await rememberDevice(deps, [request, reply], user.id)
  return { user, start: { ...waiting.start, second: proof } }
}

/**
 * Asks for a passkey in place of a code. The ticket is replaced.
 * @throws AppError `wrong_credentials` for an ended ticket; also without a passkey for this address, with another ticket
 *   in the header
 */
export async function askForPasskey(
  deps: SecondStepDeps,
  [request, reply]: [FastifyRequest, FastifyReply],
): Promise<PasskeyOptions> {
  const { ticket } = request.body as PasskeyTicket
  const waiting = (await takeFlow<Waiting>(deps, 'factor', ticket))?.data
  if (!waiting) throw new AppError('wrong_credentials')
  const site = siteOf(request, deps.config)
  const asked = site && (await deps.factors.passkeys.askOf(waiting.userId, site))
  if (asked)
    return { ticket: await issue(deps, { ...waiting, challenge: asked.challenge }), options: { ...asked.options } }
  reply.header(TICKET_HEADER, await issue(deps, waiting))
  throw new AppError('wrong_credentials')
}

/** @throws AppError `wrong_credentials`, `too_many_attempts` */
async function prove(
  { throttle }: SecondStepDeps,
  request: FastifyRequest,
  userId: number,
  judge: () => Promise<Proof | undefined>,
) {
  const guess = { kind: 'otp', subject: String(userId) } as const
  const proof = await throttle.verify(request, guess, judge)
  if (!proof) throw new AppError('wrong_credentials')
  return proof
}

async function issue(deps: FlowDeps, waiting: Waiting): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  const flow = { kind: 'factor', provider: '', cookie: '', data: waiting } as const
  await insertFlow(deps, ticket, flow, waiting.endsAt - Date.now())
  return ticket
}

/** The factors of a user that can be used at the address of the request. */
async function factorsOf(
  { factors, config }: SecondStepDeps,
  request: FastifyRequest,
  userId: number,
): Promise<string> {
  const site = siteOf(request, config)
  const kinds = [
    ...((await factors.hasApp(userId)) ? ['totp'] : []),
    ...(site && (await factors.passkeys.worksAt(userId, site)) ? ['passkey'] : []),
  ]
  return [...kinds, 'recovery'].join(', ')
}

function noteProof(request: FastifyRequest, proof: Proof): void {
  remark(request, { target: proof === 'recovery' ? 'recovery code' : proof })
}

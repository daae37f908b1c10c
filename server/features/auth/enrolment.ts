import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { remark } from '../../routing/route.ts'
import type { Enrolment } from '../factors/passkeys.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import { FactorDuty } from './factor-duty.ts'
import { type FlowDeps, insertFlow, takeFlow } from './flows.store.ts'
import { type SecondStepDeps, TICKET_HEADER, type WaitingStart } from './second-step.ts'

/** A sign-in that waits for a second factor to be set up. */
export interface Enrolling {
  userId: number
  start: WaitingStart
  endsAt: number
  /** The passkey that is being made. */
  passkey?: Enrolment
}

/** Says until when a second factor must be set up. */
const DUE_HEADER = 'X-Factor-Due'

/**
 * Demands that a user under the duty sets up a second factor, before a session starts. Before the end of the grace the
 * time is in a header.
 * @throws AppError `second_factor_setup` with a ticket
 */
export async function demandEnrolment(
  deps: SecondStepDeps,
  reply: FastifyReply,
  user: StoredUser,
  start: WaitingStart,
): Promise<void> {
  const due = await new FactorDuty(deps.db).dueAt(user)
  if (due === undefined) return
  if (due > Date.now()) {
    reply.header(DUE_HEADER, new Date(due).toISOString())
    return
  }
  const enrolling = { userId: user.id, start, endsAt: Date.now() + LIMITS.enrolmentTime }
  reply.header(TICKET_HEADER, await issueEnrolment(deps, enrolling))
  throw new AppError('second_factor_setup')
}

/** A ticket for the next call. */
export async function issueEnrolment(deps: FlowDeps, enrolling: Enrolling): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  const flow = { kind: 'setup', provider: '', cookie: '', data: enrolling } as const
  await insertFlow<Enrolling>(deps, ticket, flow, enrolling.endsAt - Date.now())
  return ticket
}

/** Takes the ticket of a request, which counts once. @throws AppError `wrong_credentials` */
export async function takeEnrolment(
  deps: SecondStepDeps,
  request: FastifyRequest,
): Promise<{ enrolling: Enrolling; user: StoredUser }> {
  const { ticket } = request.body as { ticket: string }
  const enrolling = (await takeFlow<Enrolling>(deps, 'setup', ticket))?.data
  const user = enrolling && (await findUser(deps.db, enrolling.userId))
  if (!user) throw new AppError('wrong_credentials')
  remark(request, { who: user, way: enrolling.start.way })
  return { enrolling, user }
}

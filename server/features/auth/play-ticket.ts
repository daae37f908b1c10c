import type { FastifyRequest } from 'fastify'
import type { FilePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { queryOf, target } from '../../routing/route.ts'
import { issueTicket, verifyTicket } from './ticket.ts'
import type { TokenClaims } from './token.ts'

/** The session in which a ticket was issued. */
type Bearer = Pick<TokenClaims, 'sessionId' | 'userId'>

/** A valid ticket. */
export interface PlayTicket extends Bearer {
  /** Seconds since the epoch. */
  end: number
}

/**
 * A ticket with which a player reads one path of a user's files, as long as the session lasts (http-api 53).
 * @param end that of the ticket for a playlist, for the files in it; else 12 hours from now
 */
export const issuePlayTicket = (
  key: Uint8Array,
  path: FilePath,
  { sessionId, userId }: Bearer,
  end?: number,
): Promise<string> => issueTicket({ key, use: 'play', subject: path }, { sid: sessionId, uid: userId }, end)

/**
 * The ticket of a request for its path. @throws AppError `unauthorized` for a ticket that is forged,
 * expired, or for another path; PathError
 */
export async function playTicketOf(key: Uint8Array, request: FastifyRequest): Promise<PlayTicket> {
  const subject = target(request).path
  const claims = await verifyTicket({ key, use: 'play', subject }, queryOf(request, 'ticket') ?? '')
  const { sid, uid, exp } = claims ?? {}
  if (typeof sid !== 'string' || typeof uid !== 'number' || exp === undefined) throw new AppError('unauthorized')
  return { sessionId: sid, userId: uid, end: exp }
}

import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { LIMITS } from '../../limits.ts'

/** Lifetime in seconds by use. The use is the audience, which also distinguishes tickets from session tokens. */
const LIFETIMES = {
  content: LIMITS.contentTicket,
  share: LIMITS.shareTicket,
  download: LIMITS.begunDownload,
  play: LIMITS.playTicket,
  mail: LIMITS.mailOffTicket,
}

/** The key of a ticket, what it is for, and the URL or link that it opens. */
export interface TicketScope {
  key: Uint8Array
  use: keyof typeof LIFETIMES
  subject: string
}

/**
 * Signs a ticket that opens one thing for a limited time.
 * @param claims readable by its holder
 * @param end when it expires, in seconds since the epoch; after the lifetime of its use unless given
 */
export function issueTicket(
  { key, use, subject }: TicketScope,
  claims: JWTPayload = {},
  end = Math.floor(Date.now() / 1000) + LIFETIMES[use],
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(use)
    .setSubject(subject)
    .setExpirationTime(end)
    .sign(key)
}

/** The claims of a ticket; `undefined` if it is forged, expired, or for something else. */
export async function verifyTicket(
  { key, use, subject }: TicketScope,
  ticket: string,
): Promise<JWTPayload | undefined> {
  try {
    const options = { algorithms: ['HS256'], audience: use, subject, requiredClaims: ['exp'] }
    return (await jwtVerify(ticket, key, options)).payload
  } catch {
    return undefined
  }
}

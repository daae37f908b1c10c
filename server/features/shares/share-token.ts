import { createHash, timingSafeEqual } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { LIMITS } from '../../limits.ts'
import type { StoredShare } from './shares.store.ts'

/** Seconds a ticket lasts. */
export const TICKET_LIFETIME = LIMITS.shareTicket
/** Distinguishes tickets from session tokens, which the same key signs. */
const AUDIENCE = 'share'

/** A ticket for a client that gave the right password: it opens this link with this password, and nothing else. */
export async function issueTicket(key: Uint8Array, share: StoredShare): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ pw: passwordVersion(share) })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(AUDIENCE)
    .setSubject(share.hash)
    .setExpirationTime(now + TICKET_LIFETIME)
    .sign(key)
}

/** Whether a ticket is valid for this link and its current password, and not expired. */
export async function isTicketFor(key: Uint8Array, share: StoredShare, ticket: string): Promise<boolean> {
  try {
    const { payload } = await jwtVerify<{ pw?: unknown }>(ticket, key, {
      algorithms: ['HS256'],
      audience: AUDIENCE,
      subject: share.hash,
      requiredClaims: ['exp', 'pw'],
    })
    return payload.pw === passwordVersion(share)
  } catch {
    return false
  }
}

/** The hash of an imported link's token, as it is stored. */
export const tokenHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/** Whether this is the token in the URLs of an imported link; it lasts as long as the link. */
export const isTokenOf = (share: StoredShare, token: string): boolean =>
  share.tokenHash !== '' && timingSafeEqual(Buffer.from(tokenHash(token)), Buffer.from(share.tokenHash))

const passwordVersion = ({ passwordHash }: StoredShare) =>
  createHash('sha256').update(passwordHash).digest('base64url').slice(0, 16)

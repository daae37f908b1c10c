import { jwtVerify, SignJWT } from 'jose'
import { LIMITS } from '../../limits.ts'
import type { TokenClaims } from './token.ts'

/** Seconds a ticket lasts: long enough to watch a video. */
const LIFETIME = LIMITS.contentTicket
/** Distinguishes these tickets from session tokens and share tickets, which the same key signs. */
const AUDIENCE = 'content'

/** The session behind a request for content that needs one. */
export type ContentBearer = Pick<TokenClaims, 'sessionId' | 'userId'>

/** A ticket for one URL, query included; its holder sees what the bearer may see there, while the session lasts. */
export async function issueContentTicket(key: Uint8Array, address: string, bearer?: ContentBearer): Promise<string> {
  return new SignJWT(bearer ? { sid: bearer.sessionId, uid: bearer.userId } : {})
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(AUDIENCE)
    .setSubject(address)
    .setExpirationTime(Math.floor(Date.now() / 1000) + LIFETIME)
    .sign(key)
}

/** The bearer of a valid, unexpired ticket for this URL; `anonymous` where no session is needed. */
export async function bearerOf(
  key: Uint8Array,
  address: string,
  ticket: string,
): Promise<ContentBearer | 'anonymous' | undefined> {
  try {
    const { payload } = await jwtVerify<{ sid?: unknown; uid?: unknown }>(ticket, key, {
      algorithms: ['HS256'],
      audience: AUDIENCE,
      subject: address,
      requiredClaims: ['exp'],
    })
    const { sid, uid } = payload
    return typeof sid === 'string' && typeof uid === 'number' ? { sessionId: sid, userId: uid } : 'anonymous'
  } catch {
    return undefined
  }
}

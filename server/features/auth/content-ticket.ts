import { jwtVerify, SignJWT } from 'jose'
import { LIMITS } from '../../limits.ts'
import type { TokenClaims } from './token.ts'

/** Seconds a ticket lasts: a film is not seen sooner. */
const LIFETIME = LIMITS.contentTicket
/** Tells these tickets from session tokens and those of links, which the same key signs. */
const AUDIENCE = 'content'

/** Who opens something, where it takes a session to see it. */
export type ContentBearer = Pick<TokenClaims, 'sessionId' | 'userId'>

/** A ticket for one address, query included; whoever has it sees what its bearer may see there, while the session lasts. */
export async function issueContentTicket(key: Uint8Array, address: string, bearer?: ContentBearer): Promise<string> {
  return new SignJWT(bearer ? { sid: bearer.sessionId, uid: bearer.userId } : {})
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(AUDIENCE)
    .setSubject(address)
    .setExpirationTime(Math.floor(Date.now() / 1000) + LIFETIME)
    .sign(key)
}

/** Whom a ticket for this address was given to, if it is ours and not outdated; `anybody` where no session is needed. */
export async function bearerOf(
  key: Uint8Array,
  address: string,
  ticket: string,
): Promise<ContentBearer | 'anybody' | undefined> {
  try {
    const { payload } = await jwtVerify<{ sid?: unknown; uid?: unknown }>(ticket, key, {
      algorithms: ['HS256'],
      audience: AUDIENCE,
      subject: address,
      requiredClaims: ['exp'],
    })
    const { sid, uid } = payload
    return typeof sid === 'string' && typeof uid === 'number' ? { sessionId: sid, userId: uid } : 'anybody'
  } catch {
    return undefined
  }
}

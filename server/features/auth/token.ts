import { jwtVerify, SignJWT } from 'jose'
import type { TokenUser, User } from '../../../shared/api/users.ts'

/** Issuer that clients of the wire expect in a token (http-api 2.4). */
const ISSUER = 'File Browser'

/** What a verified token says. The session row, not the token, decides whether it still counts. */
export interface TokenClaims {
  sessionId: string
  /** Which of the session's tokens it is; `''` for those of before they had an id. */
  tokenId: string
  userId: number
  /** Milliseconds since the epoch. */
  issuedAt: number
  expiresAt: number
}

/**
 * Makes the three-part token: signed with HS256, the user inside for the interface to read,
 * and the session id that each request checks.
 * @param lifetime in milliseconds
 */
export async function signToken(
  key: Uint8Array,
  user: User,
  { sessionId, tokenId }: Pick<TokenClaims, 'sessionId' | 'tokenId'>,
  lifetime: number,
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ user: tokenUser(user), sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(ISSUER)
    .setJti(tokenId)
    .setIssuedAt(now)
    .setExpirationTime(now + Math.floor(lifetime / 1000))
    .sign(key)
}

/** The claims of a token that we signed and that has not expired; undefined for anything else. */
async function verifyToken(key: Uint8Array, token: string): Promise<TokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify<{ user?: { id?: unknown }; sid?: unknown }>(token, key, {
      algorithms: ['HS256'],
      issuer: ISSUER,
      requiredClaims: ['sid', 'iat', 'exp', 'user'],
    })
    const { sid, jti = '', user, iat, exp } = payload
    if (typeof sid !== 'string' || typeof user?.id !== 'number') return undefined
    return { sessionId: sid, tokenId: jti, userId: user.id, issuedAt: (iat ?? 0) * 1000, expiresAt: (exp ?? 0) * 1000 }
  } catch {
    return undefined
  }
}

/** Tokens whose signature need not be looked at again, at most. */
const KNOWN = 1000

/** Verifies tokens as `verifyToken` does, each signature once: a browser sends the same one with every request. */
export class TokenVerifier {
  readonly #key: Uint8Array
  readonly #known = new Map<string, TokenClaims>()

  constructor(key: Uint8Array) {
    this.#key = key
  }

  async verify(token: string): Promise<TokenClaims | undefined> {
    const known = this.#known.get(token)
    if (known && known.expiresAt > Date.now()) return known
    this.#known.delete(token)
    const claims = await verifyToken(this.#key, token)
    if (!claims) return undefined
    if (this.#known.size >= KNOWN) this.#known.delete(this.#known.keys().next().value ?? token)
    this.#known.set(token, claims)
    return claims
  }
}

function tokenUser(user: User): TokenUser {
  return {
    id: user.id,
    locale: user.locale,
    viewMode: user.viewMode,
    singleClick: user.singleClick,
    redirectAfterCopyMove: user.redirectAfterCopyMove,
    perm: user.perm,
    commands: user.commands,
    lockPassword: user.lockPassword,
    hideDotfiles: user.hideDotfiles,
    dateFormat: user.dateFormat,
    username: user.username,
    aceEditorTheme: user.aceEditorTheme,
  }
}

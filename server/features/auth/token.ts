import { jwtVerify, SignJWT } from 'jose'
import type { TokenUser, User } from '../../../shared/api/users.ts'
import type { Permissions } from '../../../shared/permissions.ts'

/** The issuer that existing clients expect in a token (http-api 2.4). */
const ISSUER = 'File Browser'

/** The user in a token. */
type TokenOwner = User & { hasHome?: boolean }

/** The claims of a verified token. The session row, not the token, decides whether it still counts. */
export interface TokenClaims {
  sessionId: string
  /** The token's id within its session; `''` for tokens from before ids existed. */
  tokenId: string
  userId: number
  /** Milliseconds since the epoch. */
  issuedAt: number
  expiresAt: number
}

/**
 * Signs a three-part token with HS256. It carries the user for the interface to read, and the session id that each
 * request checks.
 * @param lifetime in milliseconds
 */
export async function signToken(
  key: Uint8Array,
  user: TokenOwner,
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

/** The claims of a token with a valid signature that has not expired, otherwise `undefined`. */
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

/** The most tokens whose verified signature is cached. */
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

/** What a user may do at home: without one clients offer nothing of it. Sharing on needs none. */
function permAtHome({ perm, hasHome }: TokenOwner): Permissions {
  if (hasHome !== false) return perm
  return { ...perm, execute: false, create: false, rename: false, modify: false, delete: false }
}

function tokenUser(user: TokenOwner): TokenUser {
  return {
    id: user.id,
    locale: user.locale,
    viewMode: user.viewMode,
    singleClick: user.singleClick,
    redirectAfterCopyMove: user.redirectAfterCopyMove,
    perm: permAtHome(user),
    commands: user.commands,
    lockPassword: user.lockPassword,
    hideDotfiles: user.hideDotfiles,
    dateFormat: user.dateFormat,
    username: user.username,
    aceEditorTheme: user.aceEditorTheme,
  }
}

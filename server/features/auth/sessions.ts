import { randomBytes } from 'node:crypto'
import type { User } from '../../../shared/api/users.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  extendSession,
  findSession,
  insertSession,
} from './sessions.store.ts'
import { signToken, type TokenClaims, verifyToken } from './token.ts'

const DAY = 24 * 3_600_000
/** A session nobody renews ends after this long, in milliseconds. */
const IDLE_END = 7 * DAY
/** A session ends after this long even if it is renewed all the time, in milliseconds. */
const ABSOLUTE_END = 30 * DAY
/** A token with less than this left asks for renewal, in milliseconds (contract 2.4). */
const RENEW_BEFORE = 3_600_000

/** A live session as a request sees it. */
export interface LiveSession {
  sessionId: string
  user: StoredUser
  /** The token should be renewed: it ends soon, or the user changed since it was made. */
  renew: boolean
}

/**
 * Sessions are rows; the token is only an envelope with the row's id. Ending the row ends every token made for it, on
 * the very next request.
 */
export class Sessions {
  readonly #db: Db
  readonly #key: Uint8Array
  readonly #lifetime: number
  readonly #cluster: Cluster

  /** @param lifetime of a token, in milliseconds */
  constructor(db: Db, cluster: Cluster, key: Uint8Array, lifetime: number) {
    this.#db = db
    this.#cluster = cluster
    this.#key = key
    this.#lifetime = lifetime
  }

  /** Starts a session and answers its first token. */
  async start(user: User): Promise<string> {
    const now = Date.now()
    await deleteExpiredSessions(this.#db, now)
    const id = randomBytes(16).toString('base64url')
    await insertSession(this.#db, {
      id,
      user_id: user.id,
      created_at: now,
      renewed_at: now,
      expires_at: now + IDLE_END,
    })
    return signToken(this.#key, user, id, this.#lifetime)
  }

  /**
   * The session behind a token.
   * @throws AppError `unauthorized` for a forged, expired or ended one, and when its user is gone
   */
  async resolve(token: string): Promise<LiveSession> {
    const claims = await verifyToken(this.#key, token)
    if (!claims) throw new AppError('unauthorized')
    const session = await findSession(this.#db, claims.sessionId)
    if (!session || session.expires_at <= Date.now() || session.user_id !== claims.userId) {
      throw new AppError('unauthorized')
    }
    const user = await findUser(this.#db, session.user_id)
    if (!user) throw new AppError('unauthorized')
    return { sessionId: session.id, user, renew: this.#shouldRenew(claims, user) }
  }

  /** A fresh token for a live session, rebuilt from the stored user. */
  async renew(sessionId: string, user: User): Promise<string> {
    const session = await findSession(this.#db, sessionId)
    if (!session) throw new AppError('unauthorized')
    const now = Date.now()
    const end = Math.min(now + IDLE_END, session.created_at + ABSOLUTE_END)
    await extendSession(this.#db, sessionId, now, end)
    return signToken(this.#key, user, sessionId, Math.min(this.#lifetime, Math.max(end - now, 1000)))
  }

  /** Ends a session; idempotent. */
  async end(sessionId: string): Promise<void> {
    const userId = await deleteSession(this.#db, sessionId)
    if (userId !== undefined) this.#cluster.publish('session.ended', { userId })
  }

  /** Ends every session of a user but, if one is named, that; idempotent. */
  async endAll(userId: number, exceptSessionId?: string): Promise<void> {
    await deleteSessionsOf(this.#db, userId, exceptSessionId)
    this.#cluster.publish('session.ended', { userId })
  }

  #shouldRenew(claims: TokenClaims, user: StoredUser): boolean {
    const soon = Math.min(RENEW_BEFORE, this.#lifetime / 2)
    const changed = Math.floor(user.modifiedAt / 1000) > Math.floor(claims.issuedAt / 1000)
    return claims.expiresAt - Date.now() <= soon || changed
  }
}

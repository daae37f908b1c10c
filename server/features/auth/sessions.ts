import { randomBytes } from 'node:crypto'
import type { AuditWay } from '../../../shared/api/audit.ts'
import type { User } from '../../../shared/api/users.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db, SessionsTable } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Proof } from '../factors/factors.ts'
import { type ActingUser, findActingUser } from '../groups/acting-user.ts'
import { ROWS, type Secrets } from '../secrets/secrets.ts'
import { isTokenLike } from '../tokens/secret.ts'
import { isTokenItself, sessionIdOf, startedSessionId, tokenIdIn } from '../tokens/session-ids.ts'
import type { StoredToken } from '../tokens/tokens.store.ts'
import type { LiveToken, Tokens } from '../tokens/tokens.ts'
import type { Credential } from './credentials.ts'
import { provenBy } from './session-factors.ts'
import {
  type Device,
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  deleteSessionsOfToken,
  extendSession,
  findSession,
  insertSession,
  listSeen,
  listSessions,
  listSessionsFrom,
  noteConfirmation,
  noteRotation,
  noteSeen,
  noteSignIn,
  noteUse,
  rotateToken,
  UNUSED,
} from './sessions.store.ts'
import { signToken, type TokenClaims, TokenVerifier } from './token.ts'

const DAY = 24 * 3_600_000
/** A session ends this long after its last renewal, in milliseconds. */
const IDLE_END = 7 * DAY
/** A session ends after this long even if it is renewed continuously, in milliseconds. */
const ABSOLUTE_END = 30 * DAY
/** A token that expires within this time asks for renewal, in milliseconds (http-api 2.4). */
const RENEW_BEFORE = 3_600_000
/**
 * How long the previous token stays valid after the first use of the new one, in milliseconds: other tabs receive it in
 * that time. Until then the new one may never have reached the client.
 */
export const ROTATION_GRACE = 30_000
/** A session that began later than this from now, in milliseconds, was made with a wrong clock: it would not end. */
const MOST_AHEAD = DAY
/** Use is recorded at this interval, in milliseconds. */
const NOTE_EVERY = 60_000

const NOWHERE: Device = { address: '', agent: '' }

/** A live session as seen by a request. */
export interface LiveSession {
  sessionId: string
  user: ActingUser
  /** The token should be renewed: it expires soon, or the user changed since it was made. */
  renew: boolean
  /** How its user signed in. */
  way: AuditWay
  /** The personal API token that it is, or that started it; the user is narrowed to it. */
  token?: StoredToken
}

export interface SessionDeps {
  db: Db
  cluster: Cluster
  tokens: Tokens
  /** Seals the ID tokens of providers. */
  secrets: Secrets
  /** Signs the tokens. */
  key: Uint8Array
  /** Lifetime of a token, in milliseconds. */
  lifetime: number
  /** A user signs in, with whatever but an API token; is waited for. Never rejects. */
  onSignIn?: (userId: number, device: Device) => Promise<void>
}

/** The session of an OpenID provider with which a session began. */
export interface SessionProvider {
  /** Slug of the provider. */
  provider: string
  /** The provider's id of its session, `''` if unknown. */
  sid: string
  /** `''` if it is not kept. */
  idToken: string
  /** Whether it checked a second factor, which counts here. */
  hasFactor?: boolean
}

/** How a new session began. */
export interface SessionStart {
  way?: AuditWay
  /** It is not renewed for longer than this, in milliseconds. */
  longest?: number
  from?: SessionProvider
  /** What was proven after the first step. */
  second?: Proof | 'device' | undefined
  /** The personal API token that starts it: the session never does more, and ends with it. */
  token?: StoredToken | undefined
}

/**
 * Sessions are rows; a token only carries the row's id. Deleting the row invalidates every token made for it, on the
 * very next request. Each renewal rotates the token; a rotated token that is used again was copied, and ends the
 * session.
 */
export class Sessions {
  readonly #deps: SessionDeps
  readonly #db: Db
  readonly #tokens: TokenVerifier

  constructor(deps: SessionDeps) {
    this.#deps = deps
    this.#db = deps.db
    this.#tokens = new TokenVerifier(deps.key)
  }

  /**
   * Starts a session and returns its first token, which has the permissions of the user's groups as well.
   * @throws AppError `wrong_credentials` for a disabled or removed account, whatever the way of the sign-in
   */
  async start(user: User, device = NOWHERE, how: SessionStart = {}): Promise<string> {
    const { way = 'session', token, longest, from } = how
    const acting = 'own' in user ? user : await findActingUser(this.#db, user.id)
    if (!acting) throw new AppError('wrong_credentials')
    const now = Date.now()
    await deleteExpiredSessions(this.#db, now)
    const last = longest === undefined ? 0 : now + longest
    const end = Math.min(now + IDLE_END, lastOf({ created_at: now, ends_at: last }, token))
    const id = token ? startedSessionId(token.id, newId()) : newId()
    const session = {
      id,
      user_id: user.id,
      created_at: now,
      renewed_at: now,
      expires_at: end,
      token_id: newId(),
      previous_id: '',
      rotated_at: 0,
      seen_at: now,
      ...device,
      way,
      provider: from?.provider ?? '',
      provider_sid: from?.sid ?? '',
      id_token: from?.idToken ? await this.#deps.secrets.seal(from.idToken, ROWS.session(id)) : '',
      provider_factor: from?.hasFactor ? 1 : 0,
      ends_at: last,
      ...provenBy(how, now),
    }
    if (!token && way !== 'noauth') await this.#deps.onSignIn?.(user.id, device)
    await insertSession(this.#db, session)
    if (way !== 'noauth') await noteSeen(this.#db, user.id, now)
    return this.#sign(acting, session, Math.min(this.#deps.lifetime, Math.max(end - now, 1000)))
  }

  /**
   * The session of a credential: of a session token, or of a personal API token, which needs no stored one.
   * @throws AppError as `resolve`, and `too_many_attempts` after many wrong API tokens
   */
  async authenticate({ secret, username }: Credential, device: Device): Promise<LiveSession> {
    if (!isTokenLike(secret)) return this.resolve(secret, device)
    return sessionOfToken(await this.#deps.tokens.resolve(secret, device, username))
  }

  /**
   * The session of a token.
   * @param device the client, shown in the list of sessions
   * @throws AppError `unauthorized` for a forged, expired, rotated or ended one, and when its user is deleted
   */
  async resolve(token: string, device?: Device): Promise<LiveSession> {
    const claims = await this.#tokens.verify(token)
    if (!claims) throw new AppError('unauthorized')
    const { session, user, token: apiToken } = await this.#live(claims)
    if (!isAccepted(session, claims.tokenId)) {
      await this.end(session.id)
      throw new AppError('unauthorized')
    }
    if (session.rotated_at === UNUSED && claims.tokenId === session.token_id) {
      await noteRotation(this.#db, session.id, Date.now())
    }
    if (device) await this.#note(session, device)
    const renew = this.#isEnding(claims) || user.modifiedAt > timeOf(claims, session)
    return { sessionId: session.id, user, renew, way: session.way as AuditWay, ...(apiToken && { token: apiToken }) }
  }

  /** A session by its id, for tickets that were issued in it. @throws AppError `unauthorized` when it has ended */
  async find(known: Pick<TokenClaims, 'sessionId' | 'userId'>): Promise<LiveSession> {
    if (isTokenItself(known.sessionId)) return sessionOfToken(await this.#tokenOf(known))
    const { session, user, token } = await this.#live(known)
    return { sessionId: session.id, user, renew: false, way: session.way as AuditWay, ...(token && { token }) }
  }

  /** The current user of a live session; `undefined` once either has ended. */
  async userOf(userId: number, sessionId: string): Promise<ActingUser | undefined> {
    const found = await this.find({ sessionId, userId }).catch(unlessEnded)
    return found?.user
  }

  async #live({ sessionId, userId }: Pick<TokenClaims, 'sessionId' | 'userId'>) {
    const session = await findSession(this.#db, sessionId)
    const now = Date.now()
    const isInTime = session && session.expires_at > now && session.created_at <= now + MOST_AHEAD
    if (!isInTime || session.user_id !== userId) throw new AppError('unauthorized')
    if (tokenIdIn(sessionId) !== undefined) return { session, ...(await this.#tokenOf({ sessionId, userId })) }
    const user = await findActingUser(this.#db, userId)
    if (!user) throw new AppError('unauthorized')
    return { session, user, token: undefined }
  }

  /** The personal API token behind a session id. */
  async #tokenOf({ sessionId, userId }: Pick<TokenClaims, 'sessionId' | 'userId'>): Promise<LiveToken> {
    const found = await this.#deps.tokens.find(tokenIdIn(sessionId) ?? '')
    if (found?.user.id !== userId) throw new AppError('unauthorized')
    return found
  }

  /**
   * A fresh token for a live session, rebuilt from the stored user. Concurrent callers, such as tabs, get tokens of the
   * same validity. A session that an API token started is renewed until that expires.
   * @throws AppError `token_scope` for an API token itself
   */
  async renew(sessionId: string, user: User, token?: Pick<StoredToken, 'expiresAt'>): Promise<string> {
    if (isTokenItself(sessionId)) throw new AppError('token_scope')
    const before = await findSession(this.#db, sessionId)
    if (!before) throw new AppError('unauthorized')
    const now = Date.now()
    if (before.rotated_at + ROTATION_GRACE <= now) await rotateToken(this.#db, before, newId())
    const end = Math.min(now + IDLE_END, lastOf(before, token))
    await extendSession(this.#db, sessionId, now, end)
    if (before.way !== 'noauth') await noteSeen(this.#db, user.id, now)
    const session = await findSession(this.#db, sessionId)
    if (!session) throw new AppError('unauthorized')
    return this.#sign(user, session, Math.min(this.#deps.lifetime, Math.max(end - now, 1000)))
  }

  /**
   * The slug of the provider where a session began, and the ID token, `''` if it is not kept; `undefined` if it began
   * otherwise, or has ended. `idToken` throws AppError `unavailable` when the token cannot be opened.
   */
  async providerOf(sessionId: string): Promise<{ provider: string; idToken(): Promise<string> } | undefined> {
    const session = await findSession(this.#db, sessionId)
    if (!session || session.provider === '') return undefined
    const { provider, id_token } = session
    return { provider, idToken: () => this.#deps.secrets.open(id_token, ROWS.session(session.id)) }
  }

  /** Live sessions that began at a provider: of one of its sessions, of one user, or both. */
  async fromProvider(provider: string, which: { sid?: string; userId?: number }): Promise<SessionsTable[]> {
    return listSessionsFrom(this.#db, provider, which, Date.now())
  }

  /**
   * The user of a session has proved to be present.
   * @param from by a sign-in at this provider: a session that began there now belongs to that sign-in
   */
  async confirm(sessionId: string, from?: SessionProvider): Promise<void> {
    await noteConfirmation(this.#db, sessionId, Date.now())
    if (!from) return
    const idToken = from.idToken && (await this.#deps.secrets.seal(from.idToken, ROWS.session(sessionId)))
    await noteSignIn(this.#db, sessionId, { ...from, idToken })
  }

  /** Live sessions of a user, most recently used first. */
  async list(userId: number): Promise<SessionsTable[]> {
    return listSessions(this.#db, userId, Date.now())
  }

  /** When each user was last active, in milliseconds; those who never were are missing. */
  async seen(): Promise<ReadonlyMap<number, number>> {
    return listSeen(this.#db)
  }

  /** Ends a session; idempotent. */
  async end(sessionId: string): Promise<void> {
    const userId = await deleteSession(this.#db, sessionId)
    if (userId !== undefined) this.#deps.cluster.publish('session.ended', { userId })
  }

  /** Ends the sessions that a personal API token started. @param sessionId of the token itself */
  async endStarted(userId: number, sessionId: string): Promise<void> {
    await deleteSessionsOfToken(this.#db, userId, sessionId)
  }

  /** Ends every session of a user, except the named one if any; idempotent. */
  async endAll(userId: number, exceptSessionId?: string): Promise<void> {
    await deleteSessionsOf(this.#db, userId, exceptSessionId)
    this.#deps.cluster.publish('session.ended', { userId })
  }

  #sign(user: User, { id, token_id }: SessionsTable, lifetime: number): Promise<string> {
    return signToken(this.#deps.key, user, { sessionId: id, tokenId: token_id }, lifetime)
  }

  /** Records use at intervals; a change of address at once. */
  async #note({ id, seen_at, address, agent }: SessionsTable, device: Device): Promise<void> {
    const now = Date.now()
    const isKnown = address === device.address && agent === device.agent
    if (!isKnown || seen_at + NOTE_EVERY <= now) await noteUse(this.#db, id, device, now)
  }

  #isEnding({ expiresAt }: TokenClaims): boolean {
    return expiresAt - Date.now() <= Math.min(RENEW_BEFORE, this.#deps.lifetime / 2)
  }
}

/** When a session ends at the latest. */
function lastOf(
  session: Pick<SessionsTable, 'created_at' | 'ends_at'>,
  token?: Pick<StoredToken, 'expiresAt'>,
): number {
  const never = Number.POSITIVE_INFINITY
  return Math.min(session.created_at + ABSOLUTE_END, session.ends_at || never, token?.expiresAt ?? never)
}

const sessionOfToken = ({ token, user }: LiveToken): LiveSession => ({
  sessionId: sessionIdOf(token.id),
  user,
  renew: false,
  way: 'apitoken',
  token,
})

/** The time a token was made, in milliseconds. A token has whole seconds; of the latest one the session knows more. */
function timeOf({ issuedAt }: TokenClaims, { renewed_at }: SessionsTable): number {
  const end = issuedAt + 999
  return issuedAt <= renewed_at && renewed_at <= end ? renewed_at : end
}

function unlessEnded(thrown: unknown): undefined {
  if (!(thrown instanceof AppError) || thrown.code !== 'unauthorized') throw thrown
}

const newId = () => randomBytes(16).toString('base64url')

/** Whether a token is the session's current one, or the previous one within the grace period. */
function isAccepted({ token_id, previous_id, rotated_at }: SessionsTable, tokenId: string): boolean {
  if (tokenId === token_id) return true
  return tokenId === previous_id && Date.now() < rotated_at + ROTATION_GRACE
}

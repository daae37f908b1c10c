import { randomBytes } from 'node:crypto'
import type { TokenScope } from '../../../shared/api/tokens.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { membership } from '../../lib/networks.ts'
import { LIMITS } from '../../limits.ts'
import { actingUser } from '../groups/acting-user.ts'
import { completeScopes, type NarrowedUser, narrow } from './narrow.ts'
import { hashOf, isWellFormed, makeSecret } from './secret.ts'
import {
  deleteTokens,
  findToken,
  findTokenByHash,
  insertToken,
  listTokens,
  noteTokenUse,
  type OwnedToken,
  renameToken,
  type StoredToken,
} from './tokens.store.ts'
import { WrongTokens } from './wrong-tokens.ts'

/** Use is recorded at this interval, in milliseconds. */
const NOTE_EVERY = 60_000

/** What a new token may do, checked. */
export interface TokenOptions {
  label: string
  scopes: readonly TokenScope[]
  folders: readonly FilePath[]
  networks: readonly string[]
  /** Milliseconds since the epoch; null for never. */
  expiresAt: number | null
}

/** The client that shows a token. */
export interface TokenClient {
  address: string
  agent: string
}

/** A valid token, and its account narrowed to it. */
export interface LiveToken {
  token: StoredToken
  user: NarrowedUser
}

/**
 * Personal API tokens are rows, found by the hash of their secret; nothing about them is cached, so that a deleted one
 * is refused on its next use by every server.
 */
export class Tokens {
  readonly #db: Db
  readonly #cluster: Cluster
  readonly #wrong = new WrongTokens()

  constructor({ db, cluster }: { db: Db; cluster: Cluster }) {
    this.#db = db
    this.#cluster = cluster
  }

  /** Makes a token. @returns its secret, which cannot be read again @throws AppError `exists` when there are too many */
  async create(userId: number, options: TokenOptions): Promise<{ token: StoredToken; secret: string }> {
    const secret = makeSecret()
    const token: StoredToken = {
      ...options,
      id: randomBytes(8).toString('hex'),
      userId,
      hint: secret.slice(-4),
      scopes: completeScopes(options.scopes),
      createdAt: Date.now(),
      usedAt: null,
      address: '',
      agent: '',
    }
    await this.#cluster.lock(`tokens:${userId}`, async () => {
      const others = await this.list(userId)
      if (others.length >= LIMITS.apiTokens) throw new AppError('exists', 'there are too many tokens')
      await insertToken(this.#db, token, hashOf(secret))
    })
    return { token, secret }
  }

  /**
   * The token of a request.
   * @param username where the client names one, it must be that of the account
   * @throws AppError `unauthorized` for a wrong, expired or deleted one, and from another network than it is for;
   *   `too_many_attempts` after many of these
   */
  async resolve(secret: string, client: TokenClient, username?: string): Promise<LiveToken> {
    const found = isWellFormed(secret) ? await findTokenByHash(this.#db, hashOf(secret)) : undefined
    const isNamed = username === undefined || username === found?.user.username
    if (!found || !isNamed || !isLive(found) || !isFrom(found, client)) return this.#wrong.refuse(client.address)
    this.#note(found.token, client)
    return this.#liveOf(found)
  }

  /** A token by its id, for what it began; `undefined` once it has ended. */
  async find(id: string): Promise<LiveToken | undefined> {
    const found = await findToken(this.#db, id)
    return found && isLive(found) ? this.#liveOf(found) : undefined
  }

  /** Tokens of a user, the newest first; expired ones are among them. */
  async list(userId: number): Promise<StoredToken[]> {
    return listTokens(this.#db, userId)
  }

  /** @throws AppError `not_found` */
  async rename(userId: number, id: string, label: string): Promise<StoredToken> {
    const token = (await this.list(userId)).find(known => known.id === id)
    if (!token) throw new AppError('not_found')
    await renameToken(this.#db, id, label)
    return { ...token, label }
  }

  /** Ends one token of a user, or all, with the requests that use them. @returns the ids of the ended ones */
  async end(userId: number, id?: string): Promise<string[]> {
    const ended = await deleteTokens(this.#db, userId, id)
    for (const tokenId of ended) this.#cluster.publish('token.ended', { id: tokenId })
    if (ended.length > 0) this.#cluster.publish('session.ended', { userId })
    return ended
  }

  async #liveOf({ token, user }: OwnedToken): Promise<LiveToken> {
    return { token, user: narrow(await actingUser(this.#db, user), token) }
  }

  /** Records use at intervals, not in the way of the request. */
  #note({ id, usedAt }: StoredToken, client: TokenClient): void {
    const now = Date.now()
    if (usedAt !== null && usedAt + NOTE_EVERY > now) return
    void noteTokenUse(this.#db, id, { used_at: now, ...client }, now - NOTE_EVERY).catch(() => {})
  }
}

const isLive = ({ token: { expiresAt }, user }: OwnedToken) =>
  !user.isDisabled && (expiresAt === null || expiresAt > Date.now())

const isFrom = ({ token: { networks } }: OwnedToken, { address }: TokenClient) =>
  networks.length === 0 || membership(networks)(address)

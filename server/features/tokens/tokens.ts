import { randomBytes } from 'node:crypto'
import type { TokenScope } from '../../../shared/api/tokens.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import { membership } from '../../lib/networks.ts'
import { LIMITS } from '../../limits.ts'
import { type ActingUser, actingUser } from '../groups/acting-user.ts'
import { findUser } from '../users/users.store.ts'
import { completeScopes, type NarrowedUser, narrow } from './narrow.ts'
import { pathsOf, reachedFolders } from './reached-folders.ts'
import { hashOf, isWellFormed, makeSecret } from './secret.ts'
import { type BoundFolder, foldersOf, type TokenFolder } from './token-folders.store.ts'
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
  /** Empty for all files. */
  folders: readonly BoundFolder[]
  networks: readonly string[]
  /** Milliseconds since the epoch; null for never. */
  expiresAt: number | null
}

/** The client that shows a token. */
export interface TokenClient {
  address: string
  agent: string
}

/** A token with the folders that it reaches now, by their paths; none also where it reaches all files. */
export interface ShownToken {
  token: StoredToken
  folders: readonly FilePath[]
}

/** A valid token, and its account narrowed to it. */
export interface LiveToken extends ShownToken {
  user: NarrowedUser
}

export interface TokenDeps {
  db: Db
  cluster: Cluster
  /** The files of users; without them tokens that are confined to folders reach nothing. */
  files?: () => Pick<FilesService, 'for'>
}

/**
 * Personal API tokens are rows, found by the hash of their secret; nothing about them is cached, so that a deleted one
 * is refused on its next use by every server.
 */
export class Tokens {
  readonly #db: Db
  readonly #cluster: Cluster
  readonly #files: TokenDeps['files']
  readonly #wrong = new WrongTokens()

  constructor({ db, cluster, files }: TokenDeps) {
    this.#db = db
    this.#cluster = cluster
    this.#files = files
  }

  /** Makes a token. @returns its secret, which cannot be read again @throws AppError `exists` when there are too many */
  async create(userId: number, { folders, ...options }: TokenOptions): Promise<{ token: StoredToken; secret: string }> {
    const secret = makeSecret()
    const fresh = {
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
    const token = await this.#cluster.lock(`tokens:${userId}`, async () => {
      const others = await this.list(userId)
      if (others.length >= LIMITS.apiTokens) throw new AppError('exists', 'there are too many tokens')
      return insertToken(this.#db, fresh, { hash: hashOf(secret), folders })
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

  /** The same with the folders that they reach. */
  async listShown(userId: number): Promise<ShownToken[]> {
    const tokens = await this.list(userId)
    const confined = tokens.flatMap(({ id, isConfined }) => (isConfined ? id : []))
    const user = confined.length === 0 ? undefined : await findUser(this.#db, userId)
    const reached = user ? await this.#reached(await actingUser(this.#db, user), confined) : []
    return tokens.map(token => ({ token, folders: pathsOf(reached.filter(folder => folder.token === token.id)) }))
  }

  /** @throws AppError `not_found` */
  async rename(userId: number, id: string, label: string): Promise<ShownToken> {
    const shown = (await this.listShown(userId)).find(({ token }) => token.id === id)
    if (!shown) throw new AppError('not_found')
    await renameToken(this.#db, id, label)
    return { ...shown, token: { ...shown.token, label } }
  }

  /** Ends one token of a user, or all, with the requests that use them. @returns the ids of the ended ones */
  async end(userId: number, id?: string): Promise<string[]> {
    const ended = await deleteTokens(this.#db, userId, id)
    for (const tokenId of ended) this.#cluster.publish('token.ended', { id: tokenId })
    if (ended.length > 0) this.#cluster.publish('session.ended', { userId })
    return ended
  }

  async #liveOf({ token, user }: OwnedToken): Promise<LiveToken> {
    const acting = await actingUser(this.#db, user)
    const { scopes, isConfined } = token
    if (!isConfined) return { token, folders: [], user: narrow(acting, { scopes }) }
    const folders = pathsOf(await this.#reached(acting, [token.id]))
    return { token, folders, user: narrow(acting, { scopes, folders }) }
  }

  /** Folders of tokens of a user that are there, looked up at each use. */
  async #reached(user: ActingUser, tokens: readonly string[]): Promise<TokenFolder[]> {
    const files = this.#files?.()
    return files ? reachedFolders({ db: this.#db, files }, user, await foldersOf(this.#db, tokens)) : []
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

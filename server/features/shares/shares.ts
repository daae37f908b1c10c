import { randomBytes } from 'node:crypto'
import type { User } from '../../../shared/api/users.ts'
import { type FilePath, joinPath, parsePath } from '../../../shared/path.ts'
import type { Cluster, ClusterEvents } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { scopeFolder } from '../../files/scope.ts'
import type { FilesService } from '../../files/service.ts'
import { hashPassword } from '../users/password.ts'
import { findUser } from '../users/users.store.ts'
import {
  bindShare,
  deleteExpiredShares,
  deleteShare,
  deleteSharesWithin,
  findShare,
  insertShare,
  listShares,
  type OwnedShare,
  type StoredShare,
  sharesOfObject,
} from './shares.store.ts'
import type { ShareWish } from './wish.ts'

export interface SharesDeps {
  db: Db
  cluster: Cluster
  files: FilesService
}

/** Bytes of a link's name: too many to be guessed. */
const HASH_BYTES = 16

type Change = ClusterEvents['files.changed']

/**
 * Public links. A link belongs to the object it was made for: it goes with the object when that is removed or renamed,
 * follows a file that is replaced through us, and serves no newcomer in its place.
 */
export class Shares {
  readonly #db: Db
  readonly #files: FilesService
  /** Changes of files are dealt with in their order, and before any question about links is answered. */
  #settled: Promise<unknown> = Promise.resolve()

  constructor({ db, cluster, files }: SharesDeps) {
    this.#db = db
    this.#files = files
    cluster.subscribe('files.changed', (change, origin) => {
      // Whoever made the change follows it; done once more and later it could meet a newcomer.
      if (origin === 'elsewhere') return
      // Failing here leaves links behind that their identity check keeps shut.
      this.#settled = this.#settled.then(() => this.#follow(change)).catch(() => {})
    })
  }

  /**
   * Makes a link.
   * @param folder the path was asked for with a slash at its end
   * @throws AppError `forbidden` without the share and download permissions; `not_found`, `outside_scope`
   */
  async create(owner: User, path: FilePath, folder: boolean, wish: ShareWish): Promise<OwnedShare> {
    await this.#settled
    const own = await this.#files.for(owner)
    const { identity } = await own.shareable(path)
    const share: StoredShare = {
      hash: randomBytes(HASH_BYTES).toString('base64url'),
      userId: owner.id,
      path: folder && path !== '/' ? `${path}/` : path,
      place: placeOf(owner, path),
      identity,
      expire: wish.lifetime === 0 ? 0 : now() + wish.lifetime,
      passwordHash: wish.password === '' ? '' : await hashPassword(wish.password),
      tokenHash: '',
    }
    await insertShare(this.#db, share)
    return { ...share, username: owner.username }
  }

  /** A user's links; everybody's for administrators (contract 10.1). */
  async list(user: User): Promise<OwnedShare[]> {
    await this.#purge()
    return listShares(this.#db, user.perm.admin ? {} : { userId: user.id })
  }

  /** A user's links to a path; for administrators everybody's to the same place. */
  async at(user: User, path: FilePath): Promise<OwnedShare[]> {
    await this.#purge()
    return listShares(this.#db, user.perm.admin ? { place: placeOf(user, path) } : { userId: user.id, path })
  }

  /** A link that has not ended. */
  async find(hash: string): Promise<StoredShare | undefined> {
    await this.#settled
    const share = await findShare(this.#db, hash)
    if (!share || share.expire === 0 || share.expire > now()) return share
    await deleteShare(this.#db, hash)
    return undefined
  }

  /** @returns the link that was @throws AppError `not_found`; `forbidden` unless the user owns the link or is an administrator */
  async remove(user: User, hash: string): Promise<StoredShare> {
    const share = await this.find(hash)
    if (!share) throw new AppError('not_found')
    if (share.userId !== user.id && !user.perm.admin) throw new AppError('forbidden')
    await deleteShare(this.#db, hash)
    return share
  }

  async #purge(): Promise<void> {
    await this.#settled
    await deleteExpiredShares(this.#db, now())
  }

  async #follow({ path, change, objects }: Change): Promise<void> {
    if (change === 'removed') await deleteSharesWithin(this.#db, path)
    if (!objects) return
    for (const share of await sharesOfObject(this.#db, objects.was)) {
      if ((await this.#identityAt(share)) === objects.now) await bindShare(this.#db, share.hash, objects.now)
    }
  }

  /** What a link's path leads to now, for its owner. */
  async #identityAt({ userId, path }: StoredShare): Promise<string | undefined> {
    const owner = await findUser(this.#db, userId)
    if (!owner) return undefined
    const own = await this.#files.for(owner)
    const entry = await own.info(parsePath(path)).catch(() => undefined)
    return entry?.identity
  }
}

const placeOf = ({ scope }: User, path: FilePath): FilePath => joinPath(scopeFolder(scope), path)
const now = () => Math.floor(Date.now() / 1000)

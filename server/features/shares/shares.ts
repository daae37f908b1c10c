import { randomBytes } from 'node:crypto'
import type { User } from '../../../shared/api/users.ts'
import { type FilePath, joinPath, parsePath } from '../../../shared/path.ts'
import type { Audit, AuditEvent } from '../../audit/audit.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import { scopeFolder } from '../../files/scope.ts'
import type { FilesService } from '../../files/service.ts'
import type { Entry } from '../../files/types.ts'
import { hashPassword } from '../users/password.ts'
import type { ShareWish } from './parse-share.ts'
import {
  deleteExpiredShares,
  deleteShare,
  findShare,
  insertShare,
  listShares,
  type OwnedShare,
  rebindShare,
  type StoredShare,
} from './shares.store.ts'

export interface SharesDeps {
  db: Db
  files: FilesService
  audit: Pick<Audit, 'record'>
}

/** Bytes of a link's name: too many to be guessed. */
const HASH_BYTES = 16

/**
 * Public links. A link ends when its object is removed or moved away through us; it goes on with what else replaces that
 * in its place, if it is of the same kind.
 */
export class Shares {
  readonly #db: Db
  readonly #files: FilesService
  readonly #audit: Pick<Audit, 'record'>

  constructor({ db, files, audit }: SharesDeps) {
    this.#db = db
    this.#files = files
    this.#audit = audit
  }

  /**
   * Makes a link.
   * @param folder the path was asked for with a slash at its end
   * @throws AppError `forbidden` without the share and download permissions; `not_found`, `outside_scope`
   */
  async create(owner: User, path: FilePath, folder: boolean, wish: ShareWish): Promise<OwnedShare> {
    const own = await this.#files.for(owner)
    const { identity, kind, place } = await own.shareable(path)
    const share: StoredShare = {
      hash: randomBytes(HASH_BYTES).toString('base64url'),
      userId: owner.id,
      path: folder && path !== '/' ? `${path}/` : path,
      place: placeOf(owner, path),
      canonical: place,
      identity,
      kind: kind === 'folder' ? 'folder' : 'file',
      expire: wish.lifetime === 0 ? 0 : now() + wish.lifetime,
      passwordHash: wish.password === '' ? '' : await hashPassword(wish.password),
      tokenHash: '',
    }
    await insertShare(this.#db, share)
    // What was removed before the link was noted did not end it.
    await own.standing(path).catch(async thrown => {
      await deleteShare(this.#db, share.hash)
      throw thrown
    })
    return { ...share, username: owner.username }
  }

  /** A user's links; everybody's for administrators (http-api 10.1). */
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
    const share = await findShare(this.#db, hash)
    if (!share || share.expire === 0 || share.expire > now()) return share
    await deleteShare(this.#db, hash)
    return undefined
  }

  /**
   * Makes sure that a link is meant for what was found at its path, and binds it to that.
   * @returns the link; nothing where something else stands there by now, so that it has to be looked for again
   * @throws AppError `not_found`
   */
  async follow(share: StoredShare, found: Pick<Entry, 'identity'>, own: Files): Promise<StoredShare | undefined> {
    if (found.identity === share.identity) return share
    const standing = await own.standing(parsePath(share.path))
    if (standing.identity !== found.identity) return undefined
    if (standing.kind !== share.kind || standing.place !== share.canonical) throw new AppError('not_found')
    // It was found before this is asked: whoever removes the object for good marks the link first.
    const state = await rebindShare(this.#db, share, found.identity)
    if (state === 'ended') throw new AppError('not_found')
    if (state === 'rebound') await this.#audit.record(reboundEvent(share))
    return { ...share, identity: found.identity }
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
    await deleteExpiredShares(this.#db, now())
  }
}

const reboundEvent = ({ place, hash }: StoredShare): AuditEvent => ({
  ...{ action: 'share.rebind', outcome: 'done', way: 'server', address: '' },
  ...{ path: place, target: hash },
})
const placeOf = ({ scope }: User, path: FilePath): FilePath => joinPath(scopeFolder(scope), path)
const now = () => Math.floor(Date.now() / 1000)

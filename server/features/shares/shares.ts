import { randomBytes } from 'node:crypto'
import type { LinkPolicy } from '../../../shared/api/access-settings.ts'
import type { EditRight, LinkChange, LinkKind } from '../../../shared/api/shares.ts'
import type { User } from '../../../shared/api/users.ts'
import { isExpired } from '../../../shared/expiry.ts'
import { foldLinkName, isLinkName } from '../../../shared/link-names.ts'
import { type FilePath, isWithin, joinPath, parsePath } from '../../../shared/path.ts'
import { allows } from '../../../shared/permissions.ts'
import { isInOtherRoot } from '../../../shared/places.ts'
import type { Audit, AuditEvent } from '../../audit/audit.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import { type Actor, reaches } from '../../files/policy.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import type { Entry } from '../../files/types.ts'
import { findActingUser } from '../groups/acting-user.ts'
import { readAccessSettings } from '../settings/settings.store.ts'
import { hashPassword } from '../users/password.ts'
import { findUser } from '../users/users.store.ts'
import { rebind } from './bound.store.ts'
import { withOwner } from './link-owner.ts'
import { demandPolicy } from './link-policy.ts'
import { recordChanged, recordLink } from './link-records.ts'
import { linkId } from './link-rights.ts'
import { type LinkNow, linksNow } from './links-now.ts'
import { forgetRemovedNamed, setRemoved } from './removed.store.ts'
import {
  type DropTerms,
  deleteExpiredShares,
  deleteShare,
  findShare,
  findShareByName,
  inOrder,
  insertShare,
  isNameTaken,
  listShares,
  type OwnedShare,
  type StoredShare,
  updateShare,
  VIEWED,
} from './shares.store.ts'

export { linkRecords } from './link-records.ts'

export interface SharesDeps {
  db: Db
  files: FilesService
  audit: Pick<Audit, 'record'>
}

/** The options of a new link. */
export interface ShareOptions {
  /** `''` for none. */
  password: string
  /** Seconds; 0 for no expiry. */
  lifetime: number
  /** For viewing unless given. */
  purpose?: LinkKind | undefined
  label?: string | undefined
  /** In its address, besides the hash; null for none. */
  slug?: string | null | undefined
  /** Of a link to view; null for no limit. */
  maxDownloads?: number | null | undefined
  /** Of a link to view: nothing is downloaded. */
  previewOnly?: boolean | undefined
  /** Of a link to edit: what visitors may do. */
  rights?: readonly EditRight[] | undefined
  /** Of a file request; `note` of every link. */
  terms?: Partial<DropTerms>
}

/** A caller who manages links, with the limits of a token. */
export type Sharer = User & Pick<Actor, 'ceiling' | 'groups' | 'receiving' | 'mounts' | 'recording'>

/** Bytes of randomness in a link's name: too many to guess. */
const HASH_BYTES = 16

/**
 * Share links. A link ends when its object is removed or moved away through this server; it follows any other
 * replacement of the object at its path, if that is of the same kind.
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
   * @param folder the requested path ends with a slash
   * @throws AppError `forbidden` without the share and download permissions, and for a file request without the create
   *   permission, for a link to edit without the rights that it gives; `not_found`, `not_a_folder`, `outside_scope`;
   *   `bad_request` for terms that its kind does not have, for rights that a file does not have, for a name that is
   *   invalid, or without a password, and for what administrators do not allow; `exists` for the name of another link
   */
  async create(owner: Sharer, path: FilePath, folder: boolean, options: ShareOptions): Promise<OwnedShare> {
    const { purpose = 'view', label = '', maxDownloads = null, previewOnly = false, rights, terms = {} } = options
    demandTerms(purpose, {
      ...terms,
      ...(maxDownloads !== null && { maxDownloads }),
      ...(previewOnly && { previewOnly }),
      ...(rights !== undefined && { rights }),
    })
    if (purpose === 'edit' && rights === undefined) throw new AppError('bad_request', 'rights: must be given')
    const isLocked = options.password !== ''
    const policy = await this.#policy()
    const slug = slugOf(options.slug, isLocked || policy.slugs === 'open') ?? null
    demandPolicy(policy, { purpose, isLocked, lifetime: options.lifetime, isNamed: slug !== null })
    const own = await this.#files.for(owner)
    const { identity, kind, place } = await own.shareable(path)
    await this.#demandOwn(owner, path)
    if (purpose === 'drop') await own.inbox(path)
    if (purpose === 'edit' && kind !== 'folder') demandFileRights(rights)
    const mount = isInOtherRoot(place) ? (await this.#files.inMounts(owner))(place) : undefined
    demandRights(mount ?? owner, rights)
    const share: StoredShare = {
      hash: randomBytes(HASH_BYTES).toString('base64url'),
      userId: owner.id,
      path: folder && path !== '/' ? `${path}/` : path,
      place: mount ? place : placeOf(owner, path),
      canonical: place,
      identity,
      kind: kind === 'folder' ? 'folder' : 'file',
      expire: options.lifetime === 0 ? 0 : now() + options.lifetime,
      passwordHash: await passwordHashOf(options.password),
      tokenHash: '',
      ...VIEWED,
      ...{ purpose, label: label.trim(), slug, maxDownloads, previewOnly, rights: inOrder(rights ?? []) },
      terms: { ...VIEWED.terms, ...(purpose === 'edit' && { sender: 'no' }), ...terms },
    }
    if (slug !== null) await this.#freeName(slug)
    if (!(await insertShare(this.#db, share))) throw new AppError('exists')
    // A removal before the link was stored did not end it.
    await own.standing(path).catch(async thrown => {
      await deleteShare(this.#db, share.hash)
      throw thrown
    })
    recordLink(owner, share, { did: 'made' })
    return { ...share, username: owner.username }
  }

  /** A user's links; all for administrators (http-api 10.1). A token of some folders sees the links to these only. */
  async list(user: Sharer): Promise<LinkNow<OwnedShare>[]> {
    await this.#purge()
    const links = await listShares(this.#db, user.perm.admin ? {} : { userId: user.id })
    return this.#reached(user, links)
  }

  /** The links of one user. */
  async of(userId: number): Promise<OwnedShare[]> {
    await this.#purge()
    return this.#now(await listShares(this.#db, { userId }))
  }

  /** A user's links to a path; for administrators those of all users to the same place. */
  async at(user: Sharer, path: FilePath): Promise<LinkNow<OwnedShare>[]> {
    await this.#purge()
    const place = await this.#files.placeOf(user, path)
    const isInMount = isInOtherRoot(place)
    const whose = user.perm.admin ? {} : { userId: user.id }
    const links = await listShares(this.#db, user.perm.admin || isInMount ? { ...whose, place } : { ...whose, path })
    // The path of a link into a mount may have been another one's.
    return this.#reached(
      user,
      links.filter(link => isInOtherRoot(link.canonical) === isInMount),
    )
  }

  /** @throws AppError `forbidden` for a user who may share neither their own files nor what is in a mount */
  async demandSharer(user: Sharer): Promise<void> {
    if (allows(user.perm, 'share')) return
    const mounts = await this.#files.mountsOf(user)
    if (!mounts.some(({ rights }) => rights.includes('share'))) throw new AppError('forbidden')
  }

  /** The links that a token reaches, as they are now. */
  async #reached<Link extends StoredShare>(user: Sharer, links: readonly Link[]): Promise<LinkNow<Link>[]> {
    return (await this.#now(links)).filter(link => isReached(user, link))
  }

  #now<Link extends StoredShare>(links: readonly Link[]): Promise<LinkNow<Link>[]> {
    return linksNow({ db: this.#db, files: this.#files }, links)
  }

  /** A link that has not ended. */
  async find(hash: string): Promise<StoredShare | undefined> {
    return this.#unlessExpired(await findShare(this.#db, hash))
  }

  /**
   * The same by the link's own name, which opens with a password only, unless administrators allow it to all.
   * @param name as in an address @returns nothing, or `secret` where a name that no link has looks like one with a password
   */
  async findNamed(name: string): Promise<StoredShare | 'secret' | undefined> {
    const isOpen = (await this.#policy()).slugs === 'open'
    const share = await this.#unlessExpired(await findShareByName(this.#db, foldLinkName(name)))
    if (share && (isOpen || share.passwordHash !== '')) return share
    return isOpen ? undefined : 'secret'
  }

  /** A link is opened without what its owner has from others. @throws AppError `forbidden` */
  async #demandOwn(owner: Sharer, path: FilePath): Promise<void> {
    const shared = owner.receiving && (await this.#files.sharedFolder(owner))
    if (shared !== undefined && isWithin(path, shared)) throw new AppError('forbidden')
  }

  async #policy(): Promise<LinkPolicy> {
    return (await readAccessSettings(this.#db)).links
  }

  async #unlessExpired(share: StoredShare | undefined): Promise<StoredShare | undefined> {
    if (!share || !isExpired(share.expire, now())) return share
    await deleteShare(this.#db, share.hash)
    return undefined
  }

  /**
   * Checks that a link is meant for the entry found at its path, and binds it to that.
   * @returns the link; `undefined` where another entry is at the path now, so that it must be resolved again
   * @throws AppError `not_found`
   */
  async follow(share: StoredShare, found: Pick<Entry, 'identity'>, own: Files): Promise<StoredShare | undefined> {
    if (found.identity === share.identity) return share
    const standing = await own.standing(parsePath(share.path))
    if (standing.identity !== found.identity) return undefined
    if (standing.kind !== share.kind || standing.place !== share.canonical) throw new AppError('not_found')
    // The entry was found before this query: a removal through this server marks the link first.
    const state = await rebind(this.#db, 'shares', share, found.identity)
    if (state === 'ended') throw new AppError('not_found')
    if (state === 'rebound') await this.#audit.record(reboundEvent(share))
    return { ...share, identity: found.identity }
  }

  /**
   * Changes when a link ends, its password, label and name, its rights and terms, and whether it is paused. With another
   * password, and without one, nothing that opened it before does: neither a ticket nor the token in the URL of an
   * imported link.
   * @throws AppError `bad_request` for a time that is over, and as `create`; `forbidden` for rights that its owner lacks;
   *   `exists` for the name of another link; otherwise as `remove`
   */
  async change(user: Sharer, hash: string, change: LinkChange): Promise<LinkNow<OwnedShare>> {
    const { expire, password, label, slug: name, maxDownloads, paused, previewOnly, rights, ...terms } = change
    const before = await this.owned(user, hash)
    const { username, purpose, kind, path, shut } = before
    demandTerms(purpose, {
      ...terms,
      ...(maxDownloads !== undefined && { maxDownloads }),
      ...(previewOnly !== undefined && { previewOnly }),
      ...(rights !== undefined && { rights }),
    })
    if (rights && kind === 'file') demandFileRights(rights)
    if (rights) demandRights(await this.#giverOf(user, before), rights)
    const isLocked = password === undefined ? before.passwordHash !== '' : !!password
    const policy = await this.#policy()
    const mayHaveName = isLocked || policy.slugs === 'open'
    const slug = slugOf(name, mayHaveName)
    if (slug === undefined) demandLock(before.slug, mayHaveName)
    demandPolicy(policy, {
      ...(password !== undefined && { isLocked }),
      ...(expire !== undefined && { lifetime: expire === 0 ? 0 : Math.max(expire - now(), 1) }),
      isNamed: Boolean(slug),
    })
    if (expire !== undefined && isExpired(expire, now())) {
      throw new AppError('bad_request', 'expire: must be in the future')
    }
    const passwordHash = password === undefined ? undefined : await passwordHashOf(password)
    if (slug) await this.#freeName(slug)
    const more = { maxDownloads, paused, previewOnly, rights: rights && inOrder(rights), terms }
    const update = { expire, passwordHash, label: label?.trim(), slug, ...more }
    const changed = await updateShare(this.#db, hash, update, now()).catch(async (thrown: unknown) => {
      throw slug && (await isNameTaken(this.#db, slug, hash)) ? new AppError('exists') : thrown
    })
    if (!changed) throw new AppError('not_found')
    recordChanged(user, before, changed)
    return { ...changed, username, path, ...(shut && { shut }) }
  }

  /**
   * Removes a link; the undo of that brings it back. @returns the link @throws AppError `not_found`; `forbidden` unless the user owns the link or is an
   *   administrator
   */
  async remove(user: Sharer, hash: string): Promise<StoredShare> {
    const share = await this.owned(user, hash)
    if (await setRemoved(this.#db, hash, linkId(share))) recordLink(user, share, { did: 'removed' })
    return share
  }

  /** A link of the user; any for administrators. @throws AppError as `remove` */
  async owned(user: Sharer, hash: string): Promise<LinkNow<OwnedShare>> {
    const found = await this.find(hash)
    const [share] = found ? await this.#reached(user, [found]) : []
    if (!share) throw new AppError('not_found')
    if (share.userId !== user.id && !user.perm.admin) throw new AppError('forbidden')
    const owner = share.userId === user.id ? user : await findUser(this.#db, share.userId)
    if (!owner) throw new AppError('not_found')
    return { ...share, username: owner.username }
  }

  /** Who gives the rights of a link, with those at its place. @throws AppError `not_found` */
  async #giverOf(user: Sharer, share: StoredShare): Promise<Pick<User, 'perm'>> {
    const isOwn = share.userId === user.id
    if (isInOtherRoot(share.canonical)) {
      const { owner } = await withOwner({ db: this.#db, files: this.#files }, share)
      return isOwn ? ((await this.#files.inMounts(user))(share.canonical) ?? owner) : owner
    }
    const owner = isOwn ? user : await findActingUser(this.#db, share.userId)
    if (!owner) throw new AppError('not_found')
    return owner
  }

  /** No link has a name that has expired or was removed. */
  async #freeName(slug: string): Promise<void> {
    await this.#purge()
    await forgetRemovedNamed(this.#db, slug)
  }

  async #purge(): Promise<void> {
    await deleteExpiredShares(this.#db, now())
  }
}

/** @throws AppError `bad_request` for what links of this kind do not have */
function demandTerms(purpose: LinkKind, terms: Partial<DropTerms & Pick<ShareOptions, keyof typeof ONLY_OF>>): void {
  const isNamed = purpose !== 'view'
  const wrong = Object.keys(terms).find(
    name => name !== 'note' && !(isNamed && name === 'sender') && kindWith(name) !== purpose,
  )
  if (wrong !== undefined) throw new AppError('bad_request', `${wrong}: only for ${KIND_NAMES[kindWith(wrong)]}`)
}

/** The one kind that has a term; all others are of file requests. */
const ONLY_OF = { maxDownloads: 'view', previewOnly: 'view', rights: 'edit' } as const
const kindWith = (term: string): LinkKind => (term in ONLY_OF ? ONLY_OF[term as keyof typeof ONLY_OF] : 'drop')
const KIND_NAMES: Record<LinkKind, string> = { view: 'links to view', edit: 'links to edit', drop: 'file requests' }

/** @throws AppError `bad_request` for rights of folders: a file keeps its name and its place */
function demandFileRights(rights: readonly EditRight[] = []): void {
  const wrong = rights.find(right => right !== 'modify')
  if (wrong !== undefined) throw new AppError('bad_request', `rights: ${wrong} is for folders`)
}

/** @throws AppError `forbidden` for rights that the owner of a link lacks */
function demandRights({ perm }: Pick<User, 'perm'>, rights: readonly EditRight[] = []): void {
  if (!rights.every(right => perm[right])) throw new AppError('forbidden')
}

/** A name as it is stored; `undefined` if there is none to set. @throws AppError `bad_request` */
function slugOf(name: string | null | undefined, mayHaveName: boolean): string | null | undefined {
  if (name === undefined) return undefined
  const slug = foldLinkName(name ?? '')
  if (slug === '') return null
  if (!isLinkName(slug)) throw new AppError('bad_request', 'slug: must be 3 to 64 of a-z, 0-9 and -')
  demandLock(slug, mayHaveName)
  return slug
}

/** @throws AppError `bad_request` for a link with a name and without a password */
function demandLock(slug: string | null, mayHaveName: boolean): void {
  if (slug !== null && !mayHaveName) throw new AppError('bad_request', 'slug: needs a password')
}

const isReached = ({ ceiling }: Sharer, { path }: StoredShare) =>
  ceiling === undefined || reaches(ceiling, parsePath(path))

const reboundEvent = ({ place, hash }: StoredShare): AuditEvent => ({
  ...{ action: 'share.rebind', outcome: 'done', way: 'server', address: '' },
  ...{ path: place, target: hash },
})
const passwordHashOf = async (password: string | null) => (password ? hashPassword(password) : '')
const placeOf = ({ scope }: User, path: FilePath): FilePath => joinPath(scopeFolder(scope), path)
const now = () => Math.floor(Date.now() / 1000)

import { randomBytes } from 'node:crypto'
import type { GivenRight, GrantChange, GrantRequest, Recipient } from '../../../shared/api/grants.ts'
import { EVERYONE } from '../../../shared/api/groups.ts'
import type { User } from '../../../shared/api/users.ts'
import { type FilePath, isWithin, joinPath, nameOf, parsePath, ROOT, trustedChild } from '../../../shared/path.ts'
import { isInOtherRoot } from '../../../shared/places.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { FilesService } from '../../files/files-service.ts'
import { type Actor, reaches } from '../../files/policy.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { SHARED_NAME } from '../../files/shared-item.ts'
import { futureTime } from '../../lib/future-time.ts'
import { LIMITS } from '../../limits.ts'
import { someMembers } from '../groups/members.store.ts'
import { findUser } from '../users/users.store.ts'
import { grantsBefore, grantsBelow, MOST_IN_A_ROW, mayShareOn } from './grant-chains.ts'
import {
  countGrants,
  deleteGrant,
  type GrantUpdate,
  insertGrant,
  leaveGrants,
  listGrants,
  type NamedGrant,
  type StoredGrant,
  type Subject,
  updateGrant,
} from './grants.store.ts'
import { findRecipients } from './people.store.ts'
import { type Received, receivedBy } from './received.ts'

export interface GrantDeps {
  db: Db
  cluster: Cluster
  files: FilesService
  /** Who a mail about something new may go to. */
  mails?: { shared(grant: { grant: string; by: string; name: string; note: string; to: number[] }): Promise<void> }
}

/** With more recipients than this a change is announced for all users at once. */
const MOST_ANNOUNCED = 100
/** Bytes of randomness in an id. */
const ID_BYTES = 16

/** A caller, as they may act now, with the limits of a token. */
export type Giver = User & Pick<Actor, 'ceiling' | 'groups' | 'receiving'>

/** What others share with a caller, by the path that leads to it now. */
type ReceivedAt = Received & { path: FilePath }

/** Where a new grant is from. */
type Origin = Pick<StoredGrant, 'ownerId' | 'path' | 'via' | 'giverId'>

/**
 * What users share with other users and groups. A grant ends with its file or folder, as a link does, and one by which a
 * recipient shares on ends with what the recipient has.
 */
export class Grants {
  readonly #deps: GrantDeps

  constructor(deps: GrantDeps) {
    this.#deps = deps
  }

  /**
   * Shares a file or folder of the caller's own, or of another user who lets the caller share it on.
   * @throws AppError `forbidden` without the share and download permissions, and for rights that the caller lacks;
   *   `not_found`, also for a recipient whom the caller does not find; `exists` where the caller shares it with that
   *   recipient already, where the caller has it from them, and for too many; `bad_request`
   */
  async add(giver: Giver, request: GrantRequest): Promise<NamedGrant> {
    const { db, cluster, files } = this.#deps
    demandComplete(request.rights)
    const own = await files.for(giver)
    const asked = parsePath(request.path)
    if (asked === ROOT) throw new AppError('forbidden')
    const { identity, kind, place } = await own.shareable(asked)
    const to = await this.#recipient(giver, request.to)
    const origin = await this.#origin(giver, { asked, place, to, rights: request.rights })
    const { ownerId, path } = origin
    const grant: StoredGrant = {
      ...{ ...origin, id: randomBytes(ID_BYTES).toString('base64url'), place, identity, to },
      kind: kind === 'folder' ? 'folder' : 'file',
      rights: request.rights,
      note: request.note?.trim() ?? '',
      expiresAt: futureTime(request.expires ?? null),
      createdAt: Date.now(),
    }
    await cluster.lock(`grants:${giver.id}`, async () => {
      const others = await listGrants(db, { ownerId, path })
      if (others.some(other => isSame(other.to, to) && other.giverId === grant.giverId))
        throw new AppError('exists', 'it is shared with them already')
      if ((await countGrants(db, giver.id)) >= LIMITS.grants) throw new AppError('exists', 'there are too many grants')
      await insertGrant(db, grant)
    })
    // A removal before the grant was stored did not end it.
    await own.standing(origin.via === null ? path : asked).catch(async thrown => {
      await deleteGrant(db, grant)
      throw thrown
    })
    const users = await this.#announce(to)
    const about = { grant: grant.id, by: giver.username, name: nameOf(path), note: grant.note }
    await this.#deps.mails?.shared({ ...about, to: users.filter(id => id !== giver.id) })
    return { ...(await this.#named(grant.id)), path: origin.via === null ? path : asked, giver: null }
  }

  /** Whose it is, in whose files, and by which grant the caller has it. @throws as `add` */
  async #origin(
    giver: Giver,
    { asked, place, to, rights }: Pick<StoredGrant, 'place' | 'to' | 'rights'> & { asked: FilePath },
  ): Promise<Origin> {
    const thing = giver.receiving && (await this.received(giver)).items.find(item => isWithin(asked, item.path))
    if (!thing) {
      if (isInOtherRoot(place)) throw new AppError('forbidden', 'what is in a mount is shared by links only')
      const path = pathIn(scopeFolder(giver.scope), place)
      if (path === undefined || path === ROOT) throw new AppError('outside_scope')
      demandRights(giver, rights)
      return { ownerId: giver.id, path, via: null, giverId: null }
    }
    const path = pathIn(scopeFolder(thing.owner.scope), place)
    if (path === undefined || !isWithin(path, thing.grants[0].path)) throw new AppError('outside_scope')
    const via = thing.grants.find(
      grant => mayShareOn(grant.rights) && rights.every(right => grant.rights.includes(right)),
    )
    if (!via) throw new AppError('forbidden')
    const before = [via, ...(await grantsBefore(this.#deps.db, via))]
    if (before.length >= MOST_IN_A_ROW) throw new AppError('forbidden', 'it was shared on too often')
    const has = (id: number) => id === via.ownerId || before.some(grant => grant.giverId === id)
    if (to.kind === 'user' && has(to.id)) throw new AppError('exists', 'it is shared by them')
    return { ownerId: via.ownerId, path, via: via.id, giverId: giver.id }
  }

  /** The caller's grants, those by which others share the caller's files on, or those of both for one path. */
  async list(giver: Giver, path?: FilePath): Promise<NamedGrant[]> {
    const grants = await listGrants(this.#deps.db, { givenBy: giver.id })
    const isOn = grants.some(({ giverId }) => giverId === giver.id)
    const { items } = isOn ? await this.received(giver) : { items: [] }
    const shown = grants.flatMap(grant => seenBy(giver, grant, items))
    return shown.filter(grant => (path === undefined || grant.path === path) && reaches(giver.ceiling, grant.path))
  }

  /** The grants of all users. */
  listAll(): Promise<NamedGrant[]> {
    return listGrants(this.#deps.db, {})
  }

  /** @throws AppError `not_found`; `forbidden` for rights that the caller lacks; `bad_request` */
  async change(giver: Giver, id: string, { rights, note, expires }: GrantChange): Promise<NamedGrant> {
    const { grant, shown } = await this.#owned(giver, id)
    if (rights) demandComplete(rights)
    if (rights) await this.#demandGiven(giver, grant, rights)
    const update: GrantUpdate = {
      ...(rights && { rights }),
      ...(note !== undefined && { note: note.trim() }),
      ...(expires !== undefined && { expiresAt: futureTime(expires) }),
    }
    await updateGrant(this.#deps.db, grant, update)
    await this.#announceAll([grant, ...(await grantsBelow(this.#deps.db, [id]))])
    return { ...(await this.#named(id)), path: shown.path, giver: shown.giver }
  }

  /** @throws AppError `forbidden` for rights that the caller does not have to give */
  async #demandGiven(giver: Giver, { giverId, via }: StoredGrant, rights: readonly GivenRight[]): Promise<void> {
    if (giverId !== giver.id) return demandRights(giver, rights)
    const { items } = await this.received(giver)
    const from = items.flatMap(({ grants }) => grants).find(({ id }) => id === via)
    if (!from || !mayShareOn(from.rights) || !rights.every(right => from.rights.includes(right)))
      throw new AppError('forbidden')
  }

  /** Ends a grant: its owner's, any for administrators. @throws AppError `not_found` */
  async remove(caller: Giver, id: string): Promise<NamedGrant> {
    const { grant } = await this.#owned(caller, id)
    const below = await grantsBelow(this.#deps.db, [id])
    await deleteGrant(this.#deps.db, grant, below)
    await this.#announceAll([grant, ...below])
    return grant
  }

  /** What others share with the caller, by paths that lead to it now. */
  async received(user: Giver): Promise<{ folder: FilePath | undefined; items: ReceivedAt[] }> {
    const received = await receivedBy(this.#deps.db, user)
    const folder = received.length === 0 ? undefined : await this.#deps.files.sharedFolder(user)
    if (folder === undefined) return { folder, items: [] }
    return { folder, items: received.map(one => ({ ...one, path: joinPath(folder, `/${one.name}` as FilePath) })) }
  }

  /** The caller no longer sees a shared thing by any of its present grants. @throws AppError `not_found` */
  async leave(user: Giver, id: string): Promise<Received> {
    const received = await receivedBy(this.#deps.db, user)
    const thing = received.find(({ grants }) => grants.some(grant => grant.id === id))
    if (!thing) throw new AppError('not_found')
    const ids = thing.grants.map(grant => grant.id)
    await leaveGrants(this.#deps.db, ids, user.id, Date.now())
    await this.#announceAll([{ to: { kind: 'user', id: user.id } }, ...(await grantsBelow(this.#deps.db, ids))])
    return thing
  }

  /** Users and groups with whom the caller may share, by a part of their name; see `findRecipients`. */
  recipients(giver: Giver, part: string): Promise<Recipient[]> {
    return findRecipients(this.#deps.db, giver, part)
  }

  /** @throws AppError `not_found`, also for one whom the caller does not find */
  async #recipient(giver: Giver, { kind, id }: GrantRequest['to']): Promise<Subject> {
    if (kind === 'group') {
      const found = giver.groups?.find(group => group.id === id && group.id !== EVERYONE)
      const isKnown = found ?? (giver.perm.admin && id !== EVERYONE)
      if (!isKnown) throw new AppError('not_found')
      return { kind, id }
    }
    if (id === String(giver.id)) throw new AppError('bad_request', 'to: is the owner')
    const user = /^\d{1,10}$/.test(id) ? await findUser(this.#deps.db, Number(id)) : undefined
    const found = user && (await findRecipients(this.#deps.db, giver, user.username))
    if (!user || !found?.some(one => one.kind === 'user' && one.id === id)) throw new AppError('not_found')
    return { kind, id: user.id }
  }

  /** A grant that the caller may change, and the same with the path that the caller sees. @throws AppError `not_found` */
  async #owned(caller: Giver, id: string): Promise<{ grant: NamedGrant; shown: NamedGrant }> {
    const grant = await this.#named(id)
    const [shown] = (await this.list(caller)).filter(own => own.id === id)
    if (!shown && !caller.perm.admin) throw new AppError('not_found')
    return { grant, shown: shown ?? grant }
  }

  async #named(id: string): Promise<NamedGrant> {
    const [grant] = await listGrants(this.#deps.db, { id })
    if (!grant) throw new AppError('not_found')
    return grant
  }

  async #announceAll(grants: readonly Pick<StoredGrant, 'to'>[]): Promise<void> {
    for (const { to } of grants) await this.#announce(to)
  }

  /** Recipients see it at once, and what they may no longer do ends. @returns their ids; none where they are too many */
  async #announce(to: Subject): Promise<readonly number[]> {
    const { db, cluster } = this.#deps
    const users = to.kind === 'user' ? [to.id] : await someMembers(db, to.id, MOST_ANNOUNCED + 1)
    if (users.length > MOST_ANNOUNCED) {
      cluster.publish('access.changed', {})
      return []
    }
    for (const id of users) {
      cluster.publish('user.changed', { id })
      const user = await findUser(db, id)
      if (!user) continue
      const folder = scopeFolder(user.scope)
      cluster.publish('files.changed', { folder, path: trustedChild(folder, SHARED_NAME), change: 'created' })
    }
    return users
  }
}

/** The path in a scope of a place of the served root. */
function pathIn(scope: FilePath, place: FilePath): FilePath | undefined {
  if (scope === ROOT) return place
  return place.startsWith(`${scope}/`) ? (place.slice(scope.length) as FilePath) : undefined
}

/** A grant with the path that a user sees; nothing where the user shares on what they have no more. */
function seenBy({ id }: Giver, grant: NamedGrant, received: readonly ReceivedAt[]): NamedGrant[] {
  if (grant.giverId !== id) return [grant]
  const thing = received.find(({ grants }) => grants.some(other => other.id === grant.via))
  if (!thing) return []
  const inner = (grant.path.slice(thing.grants[0].path.length) || ROOT) as FilePath
  return [{ ...grant, path: joinPath(thing.path, inner), giver: null }]
}

/** @throws AppError `bad_request` for sharing on what one cannot read */
function demandComplete(rights: readonly GivenRight[]): void {
  if (rights.includes('share') && !rights.includes('download'))
    throw new AppError('bad_request', 'rights: share needs download')
}

/** @throws forbidden for rights that the giver lacks */
function demandRights({ perm }: Giver, rights: readonly GivenRight[]): void {
  if (!rights.every(right => perm[right])) throw new AppError('forbidden')
}

const isSame = (one: Subject, other: Subject) => one.kind === other.kind && one.id === other.id

/** What a log row says of a grant. */
export const targetOf = ({ toName, path }: NamedGrant): string => `${nameOf(path)}: ${toName}`

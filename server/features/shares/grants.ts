import { randomBytes } from 'node:crypto'
import type { GrantChange, GrantRequest, GrantRight, Recipient } from '../../../shared/api/grants.ts'
import { EVERYONE } from '../../../shared/api/groups.ts'
import type { User } from '../../../shared/api/users.ts'
import { type FilePath, joinPath, nameOf, parsePath, ROOT, trustedChild } from '../../../shared/path.ts'
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

/** What users share with other users and groups. A grant ends with its file or folder, as a link does. */
export class Grants {
  readonly #deps: GrantDeps

  constructor(deps: GrantDeps) {
    this.#deps = deps
  }

  /**
   * Shares a file or folder of the caller's own.
   * @throws AppError `forbidden` without the share and download permissions, for rights that the caller lacks, and for
   *   what others share with the caller; `not_found`, also for a recipient whom the caller does not find; `exists` where
   *   it is shared with that recipient already, and for too many; `bad_request`
   */
  async add(giver: Giver, request: GrantRequest): Promise<NamedGrant> {
    const { db, cluster, files } = this.#deps
    const own = await files.for(giver)
    const asked = parsePath(request.path)
    if (asked === ROOT) throw new AppError('forbidden')
    const { identity, kind, place } = await own.shareable(asked)
    const path = pathIn(scopeFolder(giver.scope), place)
    if (path === undefined || path === ROOT) throw new AppError('outside_scope')
    demandRights(giver, request.rights)
    const to = await this.#recipient(giver, request.to)
    const grant: StoredGrant = {
      ...{ id: randomBytes(ID_BYTES).toString('base64url'), ownerId: giver.id, path, place, identity, to },
      kind: kind === 'folder' ? 'folder' : 'file',
      rights: request.rights,
      note: request.note?.trim() ?? '',
      expiresAt: futureTime(request.expires ?? null),
      createdAt: Date.now(),
    }
    await cluster.lock(`grants:${giver.id}`, async () => {
      const others = await listGrants(db, { ownerId: giver.id, path })
      if (others.some(other => isSame(other.to, to))) throw new AppError('exists', 'it is shared with them already')
      if ((await countGrants(db, giver.id)) >= LIMITS.grants) throw new AppError('exists', 'there are too many grants')
      await insertGrant(db, grant)
    })
    // A removal before the grant was stored did not end it.
    await own.standing(path).catch(async thrown => {
      await deleteGrant(db, grant)
      throw thrown
    })
    const users = await this.#announce(to)
    const about = { grant: grant.id, by: giver.username, name: nameOf(path), note: grant.note }
    await this.#deps.mails?.shared({ ...about, to: users.filter(id => id !== giver.id) })
    return this.#named(grant.id)
  }

  /** The caller's grants, or those of one path. */
  async list({ id, ceiling }: Giver, path?: FilePath): Promise<NamedGrant[]> {
    const grants = await listGrants(this.#deps.db, { ownerId: id, ...(path !== undefined && { path }) })
    return grants.filter(grant => reaches(ceiling, grant.path))
  }

  /** The grants of all users. */
  listAll(): Promise<NamedGrant[]> {
    return listGrants(this.#deps.db, {})
  }

  /** @throws AppError `not_found`; `forbidden` for rights that the caller lacks; `bad_request` */
  async change(giver: Giver, id: string, { rights, note, expires }: GrantChange): Promise<NamedGrant> {
    const grant = await this.#owned(giver, id)
    if (rights) demandRights(giver, rights)
    const update: GrantUpdate = {
      ...(rights && { rights }),
      ...(note !== undefined && { note: note.trim() }),
      ...(expires !== undefined && { expiresAt: futureTime(expires) }),
    }
    await updateGrant(this.#deps.db, grant, update)
    await this.#announce(grant.to)
    return this.#named(id)
  }

  /** Ends a grant: its owner's, any for administrators. @throws AppError `not_found` */
  async remove(caller: Giver, id: string): Promise<NamedGrant> {
    const grant = await this.#owned(caller, id)
    await deleteGrant(this.#deps.db, grant)
    await this.#announce(grant.to)
    return grant
  }

  /** What others share with the caller, by paths that lead to it now. */
  async received(user: Giver): Promise<{ folder: FilePath | undefined; items: (Received & { path: FilePath })[] }> {
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
    await leaveGrants(
      this.#deps.db,
      thing.grants.map(grant => grant.id),
      user.id,
      Date.now(),
    )
    await this.#announce({ kind: 'user', id: user.id })
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

  async #owned({ id: ownerId, perm, ceiling }: Giver, id: string): Promise<NamedGrant> {
    const grant = await this.#named(id)
    const isOwn = grant.ownerId === ownerId && reaches(ceiling, grant.path)
    if (!isOwn && !perm.admin) throw new AppError('not_found')
    return grant
  }

  async #named(id: string): Promise<NamedGrant> {
    const [grant] = await listGrants(this.#deps.db, { id })
    if (!grant) throw new AppError('not_found')
    return grant
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

/** @throws forbidden for rights that the giver lacks */
function demandRights({ perm }: Giver, rights: readonly GrantRight[]): void {
  if (!rights.every(right => perm[right])) throw new AppError('forbidden')
}

const isSame = (one: Subject, other: Subject) => one.kind === other.kind && one.id === other.id

/** What a log row says of a grant. */
export const targetOf = ({ toName, path }: NamedGrant): string => `${nameOf(path)}: ${toName}`

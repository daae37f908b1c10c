import { randomBytes } from 'node:crypto'
import { EVERYONE } from '../../../shared/api/groups.ts'
import type {
  Mount,
  MountAccessRequest,
  MountChange,
  MountRequest,
  RootAnswer,
  RootChange,
} from '../../../shared/api/mounts.ts'
import { trustedChild } from '../../../shared/path.ts'
import type { Cluster, ClusterEvents } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { demandMountFolder, demandMountName, type OpenableRoots, statesOfRoots } from '../../files/mount-folder.ts'
import { scopeFolder } from '../../files/scope-folder.ts'
import { futureTime } from '../../lib/future-time.ts'
import { LIMITS } from '../../limits.ts'
import { type ActingUser, findActingUser } from '../groups/acting-user.ts'
import { findGroup } from '../groups/groups.store.ts'
import { someMembers } from '../groups/members.store.ts'
import {
  deleteMount,
  giveMount,
  insertMount,
  listMountAccess,
  listMounts,
  type MountAccess,
  type MountSubject,
  type StoredMount,
  takeMount,
  updateMount,
} from '../groups/mounts.store.ts'
import { listRootSettings, NO_ROOT_SETTINGS, setRoot } from '../groups/roots.store.ts'
import { findUser } from '../users/users.store.ts'

export interface MountDeps {
  db: Db
  cluster: Cluster
  /** The further roots of this host, if the configuration names any. */
  roots: OpenableRoots | undefined
}

/** With more users than this a change is announced for all at once. */
const MOST_ANNOUNCED = 100
const ID_BYTES = 12

const newId = () => randomBytes(ID_BYTES).toString('base64url')

/** The further roots of the host, as they are now. */
export async function listRoots({ db, roots }: Pick<MountDeps, 'db' | 'roots'>): Promise<RootAnswer[]> {
  const mounts = Map.groupBy(await listMounts(db), ({ root }) => root)
  const [states, settings] = [await statesOfRoots(roots), await listRootSettings(db)]
  return states.map(({ room, exchanged, ...root }) => ({
    ...root,
    ...(exchanged && { exchanged }),
    ...(settings.get(root.name) ?? NO_ROOT_SETTINGS),
    room: room ?? null,
    mounts: mounts.get(root.name)?.length ?? 0,
  }))
}

/**
 * Sets the label and the quota of a further root, and takes what is in its place now for it.
 * @throws AppError `not_found` for one that is not configured; `unavailable` where nothing is in its place
 */
export async function changeRoot(
  { db, cluster, roots }: MountDeps,
  name: string,
  { label, accept, ...quota }: RootChange,
): Promise<void> {
  await roots?.refresh()
  if (!roots?.find(name)) throw new AppError('not_found')
  if (accept) await roots.accept(name)
  await setRoot(db, name, { label, quota: quotaOf(quota) })
  cluster.publish('quotas.changed', {})
}

const quotaOf = ({ quotaBytes: bytes, quotaItems: items }: Pick<RootChange, 'quotaBytes' | 'quotaItems'>) => ({
  ...(bytes !== undefined && { bytes }),
  ...(items !== undefined && { items }),
})

/** All mounts by name, or one, with those to whom they are given. */
export async function listNamedMounts(db: Db, id?: string): Promise<Mount[]> {
  const access = Map.groupBy(await listMountAccess(db, id), ({ mount }) => mount)
  const mounts = (await listMounts(db)).filter(mount => id === undefined || mount.id === id)
  return mounts.map(mount => mountToWire(mount, access.get(mount.id) ?? []))
}

function mountToWire({ createdAt, ...mount }: StoredMount, access: readonly MountAccess[]): Mount {
  return {
    ...mount,
    created: new Date(createdAt).toISOString(),
    access: access.map(({ to: { kind, id }, toName: name, rights, expiresAt }) => ({
      to: { kind, id: String(id), name },
      rights: [...rights],
      expires: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    })),
  }
}

/**
 * Makes a folder of a further root known by a name. It is given to no user yet.
 * @throws AppError `bad_request`; `exists` when the name is taken, the folder is a mount, or there are too many;
 *   `unavailable` for a root that is not there
 */
export async function addMount(
  { db, roots }: Pick<MountDeps, 'db' | 'roots'>,
  { name, root, folder: wanted = '/', make = false, readOnly = false }: MountRequest,
): Promise<Omit<StoredMount, 'quota'>> {
  demandMountName(name)
  const known = await listMounts(db)
  if (known.length >= LIMITS.mounts) throw new AppError('exists', 'there are too many mounts')
  const folder = await demandMountFolder(roots, { root, folder: wanted, make })
  const twin = known.find(other => other.root === root && other.folder === folder)
  if (twin) throw new AppError('exists', `the folder is the mount ${JSON.stringify(twin.name)} already`)
  const mount = { id: newId(), name, root, folder, readOnly, createdAt: Date.now() }
  if (!(await insertMount(db, mount))) throw new AppError('exists', 'there is a mount with this name')
  return mount
}

/** @throws AppError `not_found`, `bad_request`; `exists` when the name is taken */
export async function changeMount(deps: MountDeps, id: string, change: MountChange): Promise<void> {
  const { name, readOnly } = change
  const { name: before } = await demandMount(deps.db, id)
  if (name !== before) demandMountName(name)
  const quota = quotaOf(change)
  if (!(await updateMount(deps.db, id, { name, readOnly, quota })))
    throw new AppError('exists', 'there is a mount with this name')
  if (Object.keys(quota).length > 0) deps.cluster.publish('quotas.changed', {})
  const given = await listMountAccess(deps.db, id)
  const shown = name === before ? [{ name, change: 'replaced' as const }] : renamed(before, name)
  for (const { to } of given) await announce(deps, to, () => shown)
}

const renamed = (before: string, name: string): Shown[] => [
  { name: before, change: 'removed' },
  { name, change: 'created' },
]

/** Removes a mount from every user; the files stay. @throws AppError `not_found` */
export async function removeMount(deps: MountDeps, id: string): Promise<StoredMount> {
  const mount = await demandMount(deps.db, id)
  const given = await listMountAccess(deps.db, id)
  await deleteMount(deps.db, id)
  deps.cluster.publish('quotas.changed', {})
  for (const { to } of given) await announce(deps, to, () => [{ name: mount.name, change: 'removed' }])
  return mount
}

/**
 * Gives a mount, or changes the rights with which it is given and when it ends. @throws AppError `not_found`, and
 * `bad_request` for an end that is over
 */
export async function giveMountTo(
  deps: MountDeps,
  id: string,
  to: MountSubject,
  { rights, expires = null }: MountAccessRequest,
): Promise<{ name: string; toName: string }> {
  const { name } = await demandMount(deps.db, id)
  const toName = await nameOfSubject(deps.db, to)
  const given = { rights: [...new Set(rights)], expiresAt: futureTime(expires) }
  await giveMount(deps.db, { id: newId(), mount: id, to, ...given }, Date.now())
  await announce(deps, to, () => [{ name, change: 'created' }])
  return { name, toName }
}

/** @throws AppError `not_found`, also where it is not given to them directly */
export async function takeMountFrom(
  deps: MountDeps,
  id: string,
  to: MountSubject,
): Promise<{ name: string; toName: string }> {
  const { name } = await demandMount(deps.db, id)
  const toName = await nameOfSubject(deps.db, to)
  if (!(await takeMount(deps.db, id, to))) throw new AppError('not_found')
  // A group may still give it.
  await announce(deps, to, ({ mounts }) => [
    { name, change: mounts?.some(one => one.id === id) ? 'replaced' : 'removed' },
  ])
  return { name, toName }
}

/** @throws AppError `not_found` */
export async function demandMount(db: Db, id: string): Promise<StoredMount> {
  const mount = (await listMounts(db)).find(one => one.id === id)
  if (!mount) throw new AppError('not_found')
  return mount
}

async function nameOfSubject(db: Db, to: MountSubject): Promise<string> {
  if (to.kind === 'group') {
    const group = await findGroup(db, to.id)
    if (group) return group.name
  } else {
    const user = await findUser(db, to.id)
    if (user) return user.username
  }
  throw new AppError('not_found')
}

/** What became of the folder that a mount is to its users. */
interface Shown {
  name: string
  change: ClusterEvents['files.changed']['change']
}

/**
 * What users may no longer do ends, and the folder above shows what has come or gone.
 * @param shownTo what has, for a user as they are now
 */
async function announce(
  { db, cluster }: MountDeps,
  to: MountSubject,
  shownTo: (user: ActingUser) => readonly Shown[],
): Promise<void> {
  const users = await usersOf(db, to)
  if (users === 'many') return cluster.publish('access.changed', {})
  for (const id of users) {
    cluster.publish('user.changed', { id })
    const user = await findActingUser(db, id)
    if (!user) continue
    const folder = scopeFolder(user.scope)
    for (const { name, change } of shownTo(user))
      cluster.publish('files.changed', { folder, path: trustedChild(folder, name), change })
  }
}

async function usersOf(db: Db, to: MountSubject): Promise<readonly number[] | 'many'> {
  if (to.kind === 'user') return [to.id]
  if (to.id === EVERYONE) return 'many'
  const members = await someMembers(db, to.id, MOST_ANNOUNCED + 1)
  return members.length > MOST_ANNOUNCED ? 'many' : members
}

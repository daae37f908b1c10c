import { type HeldMount, MOUNT_RIGHTS, type MountRight } from '../../shared/api/mounts.ts'
import { extensionOf, type FilePath, isWithin, joinPath, numberedName, ROOT, trustedChild } from '../../shared/path.ts'
import { type Effect, PERMISSIONS, type Permission, type Permissions } from '../../shared/permissions.ts'
import { placeInRoot } from '../../shared/places.ts'
import { AppError, asAppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { type Ceiling, type Policy, policyFor } from './policy.ts'
import { innerOf, outerOf, type Place } from './shared-places.ts'

/** A further root, as far as files know it. */
export interface KnownRoot {
  readOnly: boolean
  /** Its folder on this machine, if it has one. */
  rootFolder: string | undefined
}

/** The further roots. */
export interface KnownRoots {
  find(name: string): KnownRoot | undefined
}

/** A mount as its user sees it. */
export interface VisibleMount {
  path: FilePath
  root: string
  rights: MountRight[]
}

/** What shows whether a right is held. */
const EFFECT_OF: Record<MountRight, Effect> = {
  download: 'read',
  create: 'create',
  rename: 'rename',
  modify: 'replace',
  delete: 'remove',
  share: 'share',
}

/** The mounts among some places that the rules of the user do not hide. */
export const visibleMounts = (places: readonly Place[], own: Policy): VisibleMount[] =>
  places.flatMap(({ visible: path, root, policy, top }) =>
    root === undefined || !own.sees(path)
      ? []
      : [{ path, root, rights: MOUNT_RIGHTS.filter(right => policy.may(EFFECT_OF[right], top)) }],
  )

interface MountDeps {
  /** All roots. */
  storage: StorageDriver
  roots: KnownRoots
}

/** Who has a mount. */
interface Holder {
  /** By the paths that the user sees: rules and hidden names hold in mounts, too. */
  own: Policy
  /** What the credential allows. */
  most: Permissions
  /** What the user may do in their own files. */
  perm: Permissions
  ceiling?: Ceiling | undefined
}

/** What is left of the rights in a root that is only read. */
const READING: ReadonlySet<string> = new Set(['download'])
/** What `inherit` can stand for. */
const INHERITABLE: ReadonlySet<string> = new Set(MOUNT_RIGHTS)

/** Whether a permission of a user holds in a mount that is given with `inherit`. */
export const inherits = (perm: Permissions, name: Permission): boolean => INHERITABLE.has(name) && perm[name]

/** Attempts to find a free name for a mount. */
const MOST_NAMES = 100

/** A mount as a place of the user's files; nothing for a root that is not configured. */
export function placeOfMount(deps: MountDeps, mount: HeldMount, holder: Holder, visible: FilePath): Place | undefined {
  const root = deps.roots.find(mount.root)
  if (!root) return undefined
  const isReadOnly = root.readOnly || mount.readOnly
  const held: ReadonlySet<string> = new Set(mount.rights)
  const isGiven = (name: Permission) => held.has(name) || (held.has('inherit') && inherits(holder.perm, name))
  const has = (name: Permission) => isGiven(name) && holder.most[name] && (!isReadOnly || READING.has(name))
  const perm = Object.fromEntries(PERMISSIONS.map(name => [name, has(name)])) as Permissions
  const folder = placeInRoot({ root: mount.root, path: mount.folder as FilePath })
  const policy = policyBelow(holder, perm, { visible, top: ROOT })
  return {
    visible,
    folder,
    top: ROOT,
    since: mount.since,
    root: mount.root,
    policy,
    perm,
    origin: { kind: 'mount', isReadOnly, given: mount.given },
    realPath: inner =>
      root.rootFolder === undefined ? joinPath(visible, inner) : realPath(root.rootFolder, mount, inner),
    open: how => openMount(deps.storage, folder, how === 'guarded' && policy.restricts ? policy.sees : undefined),
  }
}

function realPath(rootFolder: string, { folder }: HeldMount, inner: FilePath): string {
  const real = joinPath(rootFolder as FilePath, joinPath(folder as FilePath, inner))
  if (!real.isWellFormed()) throw new AppError('unsupported')
  return real
}

/** @throws unavailable for a root that is not there, not_found without the folder */
const openMount = (storage: StorageDriver, folder: FilePath, sees: Policy['sees'] | undefined) =>
  storage.within(folder, sees)

/** The rights of a mount, with the rules of the user for the paths by which they see it. */
function policyBelow(
  { own, ceiling }: Pick<Holder, 'own' | 'ceiling'>,
  perm: Permissions,
  place: Pick<Place, 'visible' | 'top'>,
): Policy {
  const kept = ceiling && { ...ceiling, folders: foldersIn(ceiling, place) }
  const rights = policyFor({ scope: '.', perm, rules: [], hideDotfiles: false, ...(kept && { ceiling: kept }) }, [])
  const policy: Policy = {
    demand: rights.demand,
    may: rights.may,
    sees: inner => own.sees(outerOf(place, inner)),
    carrying() {
      const carried = own.carrying()
      return carried === own ? policy : policyBelow({ own: carried, ceiling }, perm, place)
    },
    deniedPlaces: () =>
      own
        .deniedPlaces()
        ?.filter(path => isWithin(path, place.visible))
        .map(path => innerOf(place, path)),
    restricts: own.restricts,
  }
  return policy
}

/** The folders of a ceiling that lie in a place, by their paths in its folder. What a ceiling hides `own` hides. */
const foldersIn = ({ folders }: Ceiling, place: Pick<Place, 'visible' | 'top'>) =>
  folders.filter(folder => isWithin(folder, place.visible)).map(folder => innerOf(place, folder))

/**
 * The mounts with the paths at which they show: by their names, or with a number where something of the user's own, or
 * another place, has the name.
 */
export async function namedMounts(
  mounts: readonly HeldMount[],
  own: StorageDriver,
  hall: FilePath | undefined,
): Promise<[HeldMount, FilePath][]> {
  const taken = new Set<FilePath>(hall === undefined ? [] : [hall])
  const named: [HeldMount, FilePath][] = []
  for (const mount of mounts) {
    const path = await freePath(mount.name, own, taken)
    taken.add(path)
    named.push([mount, path])
  }
  return named
}

async function freePath(name: string, own: StorageDriver, taken: ReadonlySet<FilePath>): Promise<FilePath> {
  for (let copy = 0; copy < MOST_NAMES; copy += 1) {
    const path = trustedChild(ROOT, numberedName(name, copy))
    if (!taken.has(path) && !(await stands(own, path))) return path
  }
  throw new AppError('exists')
}

/** Whether a path can lie in a mount of a name, with or without a number. */
export const mayShowAs = (name: string, path: FilePath): boolean =>
  path.startsWith(`/${name.slice(0, name.length - extensionOf(name).length)}`)

/** Whether something stands at a path. Where the own disk does not answer, a mount is not in its way. */
async function stands(own: StorageDriver, path: FilePath): Promise<boolean> {
  try {
    return (await own.stat(path)) !== undefined
  } catch (thrown) {
    return asAppError(thrown).code !== 'unavailable'
  }
}

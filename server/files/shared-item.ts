import type { Rule } from '../../shared/api/users.ts'
import {
  type FilePath,
  isWithin,
  joinPath,
  nameOf,
  numberedName,
  parentOf,
  ROOT,
  trustedChild,
} from '../../shared/path.ts'
import { allows, PERMISSIONS, type Permissions } from '../../shared/permissions.ts'
import { AppError } from '../errors.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import { type Actor, type Policy, policyFor } from './policy.ts'
import { scopeFolder } from './scope-folder.ts'
import type { Place } from './shared-places.ts'

/** A file or folder that another user shares with the actor. */
export interface SharedItem {
  /** In the folder of what is shared with the actor: unique there. */
  name: string
  /** As they may act now. */
  owner: Actor
  /** In the owner's scope, symbolic links resolved. */
  path: FilePath
  kind: 'file' | 'folder'
  identity: string
  /** What the actor may do with it, if the owner may. */
  perm: Permissions
  /** When it was shared, in milliseconds since the epoch. */
  since: number
  /** Whether an object that replaced it at its place is meant by now. */
  follows(identity: string): Promise<boolean>
  /** Gives it another name for the actor. @throws exists */
  rename(name: string): Promise<void>
}

/** The name of the folder of what is shared with a user. */
export const SHARED_NAME = 'Shared with me'
/** Attempts to find a name for it that nothing of the user's own has. */
const MOST_NAMES = 100

interface Served {
  storage: StorageDriver
  globalRules: readonly Rule[]
}

/**
 * A shared item as a place of the actor's files; nothing where its owner may no longer share it. Its content is opened as
 * the owner, with the owner's present rights and rules, and cut by what was given.
 * @param most what the actor's credential allows
 */
export function placeOfItem(served: Served, item: SharedItem, most: Permissions, at: FilePath): Place | undefined {
  const { owner, path, kind, perm } = item
  if (!allows(owner.perm, 'share') || path === ROOT) return undefined
  const isFolder = kind === 'folder'
  const folder = isFolder ? path : parentOf(path)
  const top = isFolder ? ROOT : trustedChild(ROOT, nameOf(path))
  const given = Object.fromEntries(
    PERMISSIONS.map(name => [name, owner.perm[name] && perm[name] && most[name]]),
  ) as Permissions
  const owned = policyFor({ ...owner, perm: given }, served.globalRules)
  if (!owned.sees(path)) return undefined
  const policy = policyBelow(owned, folder)
  return {
    visible: trustedChild(at, item.name),
    folder: joinPath(scopeFolder(owner.scope), folder),
    top,
    since: item.since,
    policy,
    perm: given,
    origin: { kind: 'shared', owner: owner.username },
    rename: name => item.rename(name),
    open: how => openItem(served, item, { folder, top, policy, how }),
  }
}

interface Opening {
  folder: FilePath
  top: FilePath
  policy: Policy
  how: 'guarded' | 'whole'
}

/** @throws not_found unless the shared object is there, at its place */
async function openItem({ storage }: Served, item: SharedItem, { folder, top, policy, how }: Opening) {
  const scope = await storage.within(scopeFolder(item.owner.scope))
  const there = await scope.stat(item.path)
  if (!(await isShared(item, there))) throw new AppError('not_found')
  const sees = how === 'guarded' && policy.restricts ? policy.sees : undefined
  const store = await scope.within(folder, top === ROOT ? sees : onlyIn(top, sees))
  if (top === ROOT && (await store.stat(ROOT))?.identity !== there?.identity) throw new AppError('not_found')
  return store
}

/** Of the folder that a single file lies in, nothing else is opened. */
const onlyIn =
  (top: FilePath, sees: Policy['sees'] = () => true): Policy['sees'] =>
  path =>
    path === ROOT || (isWithin(path, top) && sees(path))

async function isShared({ path, kind, identity, follows }: SharedItem, there: Entry | undefined): Promise<boolean> {
  if (there?.kind !== kind || there.isLink || there.canonical !== path) return false
  return there.identity === identity || (await follows(there.identity))
}

/** The policy of a folder by paths relative to it. */
function policyBelow(owned: Policy, folder: FilePath): Policy {
  const ownPath = (inner: FilePath) => joinPath(folder, inner)
  const policy: Policy = {
    demand: (effect, inner) => owned.demand(effect, ownPath(inner)),
    may: (effect, inner) => owned.may(effect, ownPath(inner)),
    sees: inner => owned.sees(ownPath(inner)),
    carrying() {
      const carried = owned.carrying()
      return carried === owned ? policy : policyBelow(carried, folder)
    },
    deniedPlaces: () => owned.deniedPlaces()?.flatMap(path => innerPath(folder, path)),
    restricts: owned.restricts,
  }
  return policy
}

/** The path in a folder of a path of its scope, if it is below it. */
function innerPath(folder: FilePath, path: FilePath): FilePath[] {
  if (!isWithin(path, folder)) return []
  return [(path.slice(folder === ROOT ? 0 : folder.length) || ROOT) as FilePath]
}

/** The path of the folder of shared items: nothing of the user's own is covered by it. */
export async function freeHall(own: StorageDriver): Promise<FilePath> {
  for (let copy = 0; copy < MOST_NAMES; copy += 1) {
    const path = trustedChild(ROOT, numberedName(SHARED_NAME, copy))
    const standing = await own.stat(path).catch(() => 'refused')
    if (standing === undefined) return path
  }
  throw new AppError('exists')
}

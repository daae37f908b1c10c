import type { HeldMount } from '../../shared/api/mounts.ts'
import type { Rule, User } from '../../shared/api/users.ts'
import { type FilePath, isWithin, ROOT } from '../../shared/path.ts'
import { type Effect, missingFor, type Permission, type Permissions } from '../../shared/permissions.ts'
import { AppError } from '../errors.ts'
import type { OwnQuota } from '../lib/amount.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Recording } from './change-records.ts'
import { type Decision, deciderOf, deniedPlaces, isAllowed } from './rules.ts'

/**
 * The fields of a user that decide access to files, the id and name of an account if there is one, and the session of
 * the request, if any: its writes are published only while that session is live. `recording` receives its changes.
 */
export type Actor = Pick<User, 'scope' | 'perm' | 'rules' | 'hideDotfiles'> &
  Partial<Pick<User, 'id' | 'username'> & ActorRest>

interface ActorRest {
  sessionId: string
  recording: Recording
  ceiling: Ceiling
  /** What is the user's own of the permissions and rules, and the groups that gave the others. */
  own: Pick<User, 'perm' | 'rules'>
  groups: readonly GivingGroup[]
  /** The most that the actor may do in what others share with them, and in mounts; missing without any. */
  receiving: Permissions
  /** Folders of other roots. */
  mounts: readonly HeldMount[]
  quota: OwnQuota
  /** False for a user whose scope is not theirs: only places of other roots and of others are there. */
  hasHome: boolean
  /** The actor as it may act now, where the account alone does not say it. @throws AppError once it may not act at all */
  now(): Promise<Actor>
}

/** A group as the reason of a decision. */
export interface GivingGroup {
  id: string
  name: string
  perm: Permissions
  rules: readonly Rule[]
  /** As `Actor.quota`. */
  quota?: OwnQuota
}

/** What narrows an actor below the rights of the account: only these folders of its scope, whatever rules allow. */
export interface Ceiling {
  folders: readonly FilePath[]
  /** The folders themselves stay what they are: only what is in them changes. */
  keepsFolders?: true
  /** The folder of a single file, which is opened to write that file; nothing else in it is seen. */
  through?: FilePath
}

/** What changes, or gives to others, a folder itself. */
const OF_FOLDER: ReadonlySet<Effect> = new Set(['replace', 'remove', 'rename', 'share'])

/** Whether a path lies below a ceiling. */
export const reaches = (ceiling: Ceiling | undefined, path: FilePath): boolean =>
  !ceiling || ceiling.folders.some(folder => isWithin(path, folder))

/** What one user may do, by effect and by path; paths are relative to the user's scope. */
export interface Policy {
  /** @throws AppError `forbidden` unless the user has the permissions the effect needs there */
  demand(effect: Effect, path: FilePath): void
  may(effect: Effect, path: FilePath): boolean
  /** Whether rules and hidden names allow the path. The same answer whether or not the entry exists. */
  sees(path: FilePath): boolean
  /** The same for the content of a folder being copied, moved or removed: hidden names are allowed, only rules deny. */
  carrying(): Policy
  /** The denied paths, for callers that cannot test each name; `undefined` when paths do not describe them all. */
  deniedPlaces(): readonly FilePath[] | undefined
  /** Whether there is any rule at all; if not, checks of every entry of a tree can be skipped. */
  readonly restricts: boolean
  /** Whether two paths lie in different places, with rights of their own; never where all paths lie in one. */
  crosses?(from: FilePath, to: FilePath): boolean
  /** What counts in the places besides the user's own scope, where that is not the user's. */
  readonly elsewhere?: Policy
  /** The folder that holds the places besides the user's own scope, where there are any. */
  readonly sharedFolder?: FilePath
}

/** @throws forbidden unless the user has the permissions the effect needs, and may use the path */
export function demandSeen(policy: Policy, path: FilePath, effect: Effect): void {
  policy.demand(effect, path)
  if (!policy.sees(path)) throw new AppError('forbidden')
}

/** A policy with reasons for its answers. */
export interface ReasonedPolicy extends Policy {
  /** The missing permissions for an effect. */
  missing(effect: Effect): readonly Permission[]
  /** The decision about a path. */
  decide(path: FilePath): Decision
}

export function policyFor(actor: Actor, globalRules: readonly Rule[]): ReasonedPolicy {
  const policy = policyAtHome(actor, globalRules)
  return actor.hasHome === false ? { ...policy, ...withoutHome(policy) } : policy
}

/** Nothing but the top, which is listed and holds the places of the user. */
function withoutHome(elsewhere: Policy): Policy {
  const may: Policy['may'] = (effect, path) => path === ROOT && effect === 'list'
  return {
    may,
    demand(effect, path) {
      if (!may(effect, path)) throw new AppError('no_home')
    },
    sees: path => path === ROOT,
    carrying: () => withoutHome(elsewhere.carrying()),
    deniedPlaces: () => undefined,
    restricts: true,
    elsewhere,
  }
}

function policyAtHome(actor: Actor, globalRules: readonly Rule[]): ReasonedPolicy {
  const lists = [globalRules, actor.rules]
  const shown = policyOf(actor, lists, actor.hideDotfiles)
  return actor.hideDotfiles ? { ...shown, carrying: () => policyOf(actor, lists, false) } : shown
}

function policyOf(
  { perm, ceiling }: Actor,
  lists: readonly (readonly Rule[])[],
  hideDotfiles: boolean,
): ReasonedPolicy {
  const decide = deciderOf(lists, hideDotfiles)
  const missing = (effect: Effect) => missingFor(perm, effect)
  const sees = (path: FilePath) => (reaches(ceiling, path) || path === ceiling?.through) && isAllowed(decide(path))
  const isKept = (effect: Effect, path: FilePath) =>
    ceiling?.keepsFolders === true && OF_FOLDER.has(effect) && ceiling.folders.includes(path)
  const may = (effect: Effect, path: FilePath) => missing(effect).length === 0 && !isKept(effect, path)
  const policy: ReasonedPolicy = {
    missing,
    decide,
    demand(effect, path) {
      if (!may(effect, path)) throw new AppError('forbidden')
    },
    may,
    sees,
    carrying: () => policy,
    deniedPlaces: () => deniedPlaces(lists.flat(), sees),
    restricts: lists.some(rules => rules.length > 0) || hideDotfiles || ceiling !== undefined,
  }
  return policy
}

/**
 * A part of a store as one user may use it. Where a link leads to a denied place, it is answered like a link that leads
 * nowhere, so that the answer does not reveal whether its target exists.
 */
export async function guardedStore(store: StorageDriver, base: FilePath, policy: Policy): Promise<StorageDriver> {
  if (!policy.restricts) return store.within(base)
  const guarded = await store.within(base, policy.sees)
  const unlessLink = (path: FilePath) => (thrown: unknown) => {
    const isLink = thrown instanceof AppError && thrown.code === 'forbidden' && policy.sees(path)
    throw isLink ? new AppError('outside_scope', 'outside_scope', { cause: thrown }) : thrown
  }
  return {
    ...guarded,
    stat: path => guarded.stat(path).catch(unlessLink(path)),
    read: path => guarded.read(path).catch(unlessLink(path)),
  }
}

const READING: ReadonlySet<Effect> = new Set(['list', 'read'])
const CREATING: ReadonlySet<Effect> = new Set(['create'])

/** A policy that allows only listing and reading, of the paths that `sees` allows. */
export const readingPolicy = (policy: Pick<Policy, 'may'>, sees: Policy['sees']): Policy =>
  narrowed(policy, READING, sees)

/** The rights of a path, for what was at it and has none now. */
export const asAt = (policy: Policy, path: FilePath): Pick<Policy, 'may'> => ({
  may: effect => policy.may(effect, path),
})

/** A policy that allows only creating, of the paths that `sees` allows. */
export const creatingPolicy = (policy: Policy, sees: Policy['sees']): Policy => narrowed(policy, CREATING, sees)

function narrowed(policy: Pick<Policy, 'may'>, effects: ReadonlySet<Effect>, sees: Policy['sees']): Policy {
  const may: Policy['may'] = (effect, path) => effects.has(effect) && policy.may(effect, path)
  const narrow: Policy = {
    demand(effect, path) {
      if (!may(effect, path)) throw new AppError('forbidden')
    },
    may,
    sees,
    carrying: () => narrow,
    deniedPlaces: () => undefined,
    restricts: true,
  }
  return narrow
}

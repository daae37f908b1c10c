import type { Rule } from '../../shared/api/users.ts'
import { type FilePath, ROOT } from '../../shared/path.ts'
import type { Effect } from '../../shared/permissions.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { type DecidedStep, explain } from './explain-access.ts'
import { Files } from './files.ts'
import { ChosenNames } from './free-name.ts'
import { aroundDeedsOf, type Hooks } from './hooks.ts'
import { type Dependents, NO_DEPENDENTS, Places } from './places.ts'
import { type Actor, policyFor } from './policy.ts'
import { againFor } from './recheck-access.ts'
import { scopeFolder } from './scope.ts'

/** Makes a `Files` for whoever acts. */
export interface FilesService {
  /** Whether moving copies each thing, and takes the longer the more there is. */
  readonly movesByCopy: boolean
  /** Whether what is in texts can be looked for; else `findTexts` throws `not_indexed`. */
  readonly searchesContents: boolean
  /** @throws AppError `not_found` when the actor's scope is gone: it is never made again in another place */
  for(actor: Actor): Promise<Files>
  /** Whether an actor may look at all of some paths, as far as permissions and rules go; nothing is looked up. */
  sees(actor: Actor, paths: readonly FilePath[]): Promise<boolean>
  /** What decides over an effect on a path for an actor, step by step up to the first refusal. */
  why(actor: Actor, path: FilePath, effect: Effect): Promise<DecidedStep[]>
}

export interface FilesDeps {
  /** The whole served root. */
  storage: StorageDriver
  cluster: Cluster
  /** Global rules; they come before the user's own. */
  globalRules(): Promise<readonly Rule[]>
  /**
   * The current state of a user; `undefined` once the account or the given session has ended. Without this function rights
   * do not change while `Files` is in use.
   */
  actorNow?(id: number, sessionId?: string): Promise<Actor | undefined>
  /** What ends with the things it was made for. */
  dependents?: Dependents
  /** Only where the host allows programs to be run. */
  hooks?: Hooks | undefined
}

export function createFiles(deps: FilesDeps): FilesService {
  const { storage, cluster, globalRules, actorNow, hooks, dependents = NO_DEPENDENTS } = deps
  const names = new ChosenNames()
  const served = () => storage.within(ROOT, () => true)
  const groundOf = async (actor: Actor) => {
    const policy = policyFor(actor, await globalRules())
    const base = scopeFolder(actor.scope)
    const store = await storage.within(base, policy.restricts ? policy.sees : undefined)
    return { base, policy, store }
  }
  return {
    movesByCopy: storage.movesByCopy ?? false,
    searchesContents: storage.names?.texts !== undefined,
    async for(actor) {
      const { base, ...ground } = await groundOf(actor)
      const around = aroundDeedsOf(hooks, actor, ground.store)
      const again = againFor(actor, { actorNow, groundOf })
      const places = new Places(served, base, dependents)
      return new Files({ ...ground, whole: () => storage.within(base) }, base, cluster, {
        again,
        around,
        names,
        places,
      })
    },
    async sees(actor, paths) {
      const policy = policyFor(actor, await globalRules())
      return policy.may('list') && paths.every(policy.sees)
    },
    async why(actor, path, effect) {
      const shared = await globalRules()
      const policy = policyFor(actor, shared)
      const base = scopeFolder(actor.scope)
      const [store, whole] = await Promise.all([storage.within(base, policy.sees), storage.within(base)])
      return explain({ policy, store, whole, isShared: rule => shared.includes(rule) }, path, effect)
    },
  }
}

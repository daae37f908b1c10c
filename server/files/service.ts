import type { Rule } from '../../shared/api/users.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { Files } from './files.ts'
import { aroundDeedsOf, type Hooks } from './hooks.ts'
import { type Actor, policyFor } from './policy.ts'
import { scopeFolder } from './scope.ts'

/** Makes a `Files` for whoever acts. */
export interface FilesService {
  /** @throws AppError `not_found` when the actor's scope is gone: it is never made again in another place */
  for(actor: Actor): Promise<Files>
}

export interface FilesDeps {
  /** The whole served root. */
  storage: StorageDriver
  cluster: Cluster
  /** Global rules; they come before the user's own. */
  globalRules(): Promise<readonly Rule[]>
  /** Only where the host allows programs to be run. */
  hooks?: Hooks | undefined
}

export function createFiles({ storage, cluster, globalRules, hooks }: FilesDeps): FilesService {
  return {
    async for(actor) {
      const policy = policyFor(actor, await globalRules())
      const base = scopeFolder(actor.scope)
      const store = await storage.within(base, policy.sees)
      const around = aroundDeedsOf(hooks, actor, store)
      return new Files({ store, policy, whole: () => storage.within(base) }, base, cluster, { around })
    },
  }
}

import { type FilePath, joinPath, parentOf } from '../../shared/path.ts'
import type { Cluster, ClusterEvents } from '../cluster/cluster.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { RecheckAccess } from './recheck-access.ts'

type Change = ClusterEvents['files.changed']

/** What all changes of one scope share: locks on paths, and change events. */
export class Changes {
  readonly #store: StorageDriver
  readonly #base: FilePath
  readonly #cluster: Cluster
  readonly #recheck: RecheckAccess

  /**
   * @param base the scope's place in the served root, for locks and events that users of other scopes share
   * @param recheck rechecks the rights before publication
   */
  constructor(store: StorageDriver, base: FilePath, cluster: Cluster, recheck: RecheckAccess) {
    this.#store = store
    this.#base = base
    this.#cluster = cluster
    this.#recheck = recheck
  }

  /** Runs `act` under the lock of the path. @throws unauthorized once the session has ended */
  locked<T>(path: FilePath, act: () => Promise<T>): Promise<T> {
    return this.alone(path, async () => {
      await this.#recheck.session()
      return act()
    })
  }

  /** The same without asking for the session. */
  alone<T>(path: FilePath, act: () => Promise<T>): Promise<T> {
    return this.#cluster.lock(`file:${joinPath(this.#base, path)}`, act)
  }

  notify(path: FilePath, change: Change['change']): void {
    const whole = joinPath(this.#base, path)
    this.#cluster.publish('files.changed', { folder: parentOf(whole), path: whole, change })
  }

  /**
   * Calls `notify` when something in a folder may have changed, by any program.
   * @param canonical the folder's place in the scope, symbolic links resolved
   * @returns stops the watch
   */
  async watch(path: FilePath, canonical: FilePath, notify: () => void): Promise<() => void> {
    const folder = joinPath(this.#base, canonical)
    const unsubscribe = this.#cluster.subscribe('files.changed', change => {
      if (change.folder === folder || change.path === folder) notify()
    })
    const unwatch = await this.#store.watch?.(path, notify).catch(() => undefined)
    return () => {
      for (const end of [unsubscribe, unwatch]) end?.()
    }
  }
}

import { type FilePath, joinPath, parentOf } from '../../shared/path.ts'
import type { Cluster, ClusterEvents } from '../cluster/cluster.ts'
import type { Entry, StorageDriver, WriteOptions } from '../storage/driver.ts'
import type { Again, Ground } from './recheck-access.ts'
import { demandConditions } from './writing.ts'

/** Writes a file, whose last step it hands over. */
export type Publishing = (publish: NonNullable<WriteOptions['publish']>) => Promise<Entry>

type Change = ClusterEvents['files.changed']

/** What changes of one scope have in common: they take turns at a path, and everybody is told of them. */
export class Changes {
  readonly #store: StorageDriver
  readonly #base: FilePath
  readonly #cluster: Cluster
  readonly #again: Again

  /**
   * @param base the scope's place in the served root, for locks and events that users of other scopes share
   * @param again asks for what may have changed meanwhile
   */
  constructor(store: StorageDriver, base: FilePath, cluster: Cluster, again: Again) {
    this.#store = store
    this.#base = base
    this.#cluster = cluster
    this.#again = again
  }

  /** Runs `act` under the lock of the path. @throws unauthorized once the session has ended */
  locked<T>(path: FilePath, act: () => Promise<T>): Promise<T> {
    return this.#alone(path, async () => {
      await this.#again.session()
      return act()
    })
  }

  #alone<T>(path: FilePath, act: () => Promise<T>): Promise<T> {
    return this.#cluster.lock(`file:${joinPath(this.#base, path)}`, act)
  }

  tell(path: FilePath, change: Change['change']): void {
    const whole = joinPath(this.#base, path)
    this.#cluster.publish('files.changed', { folder: parentOf(whole), path: whole, change })
  }

  /**
   * Writes a file, and tells whether another gave way at the moment of publishing.
   * @param mayStill what the rights of that moment have to allow
   * @throws precondition_failed
   */
  async publishing(
    path: FilePath,
    conditions: Parameters<typeof demandConditions>[1],
    mayStill: (now: Ground) => Promise<void>,
    write: Publishing,
  ): Promise<Entry> {
    const seen: { standing?: Entry | undefined } = {}
    const publish = (act: () => Promise<Entry>) =>
      this.#alone(path, async () => {
        await this.#again.rights(mayStill)
        seen.standing = await this.#store.stat(path)
        demandConditions(seen.standing, conditions)
        return act()
      })
    const entry = await write(publish)
    this.tell(path, seen.standing ? 'replaced' : 'created')
    return entry
  }

  /**
   * Tells when something in a folder may have changed, by whomever.
   * @param canonical where the folder really is in the scope
   * @returns ends it
   */
  async watch(path: FilePath, canonical: FilePath, tell: () => void): Promise<() => void> {
    const folder = joinPath(this.#base, canonical)
    const unsubscribe = this.#cluster.subscribe('files.changed', change => {
      if (change.folder === folder || change.path === folder) tell()
    })
    const unwatch = await this.#store.watch?.(path, tell).catch(() => undefined)
    return () => {
      for (const end of [unsubscribe, unwatch]) end?.()
    }
  }
}

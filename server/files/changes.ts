import { type FilePath, parentOf } from '../../shared/path.ts'
import type { Cluster, ClusterEvents } from '../cluster/cluster.ts'
import { AppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'
import { type LockGuard, NO_LOCKS } from './lock-guard.ts'
import type { Touch } from './lock-rules.ts'
import type { Actor, Policy } from './policy.ts'

/** Milliseconds for which a check of rights is cached: most requests are done by then. */
const CACHED_FOR = 100

/** What a user works in: their scope as a store guarded by the policy, and the policy. */
export interface FilesContext {
  store: StorageDriver
  policy: Policy
}

/**
 * The checks that an operation repeats before it publishes: rights may have changed, and the session may have ended.
 */
export interface RecheckAccess {
  /** Calls `demand` with the user's current rights and rules. @param then those of before @throws unauthorized, not_found */
  rights<T>(then: FilesContext, demand: (now: FilesContext) => Promise<T>): Promise<T>
  /** @throws unauthorized when the session has ended, not_found when the scope of its user has changed */
  session(): Promise<void>
}

/** For actors whose rights and session cannot change. */
export const unchanging: RecheckAccess = { rights: (then, demand) => demand(then), session: async () => {} }

/** How rights are rechecked. */
export interface RecheckOptions {
  /** See `FilesDeps.actorNow`. */
  actorNow?: ((id: number, sessionId?: string) => Promise<Actor | undefined>) | undefined
  contextOf(actor: Actor): Promise<FilesContext>
}

/** Creates the rechecks of one actor. Without a session, as in jobs, `session` checks nothing. */
export function recheckFor(actor: Actor, { actorNow, contextOf }: RecheckOptions): RecheckAccess {
  const since = performance.now()
  const current = async () => {
    if (performance.now() - since < CACHED_FOR) return undefined
    if (!actor.now && (!actorNow || actor.id === undefined)) return undefined
    const now = await (actor.now?.() ?? actorNow?.(actor.id ?? 0, actor.sessionId))
    if (!now) throw new AppError('unauthorized')
    if (now.scope !== actor.scope || losesMount(actor, now)) throw new AppError('not_found')
    return now
  }
  return {
    async rights(then, demand) {
      const now = await current()
      return demand(now ? await contextOf(now) : then)
    },
    async session() {
      if (actor.sessionId !== undefined || actor.now) await current()
    },
  }
}

/** Whether a mount was taken from an actor, or its rights were changed: its paths would lead into the own scope. */
function losesMount({ mounts = [] }: Actor, now: Actor): boolean {
  const held = new Set(now.mounts?.map(mount => JSON.stringify(mount)))
  return mounts.some(mount => !held.has(JSON.stringify(mount)))
}

type Change = ClusterEvents['files.changed']

export interface WatchedFolder {
  /** Its path with symbolic links resolved. */
  canonical: FilePath
  /** Stops the watch. */
  end(): void
}

/** What all changes of one scope share: locks on paths, and change events. */
export class Changes {
  readonly #store: StorageDriver
  readonly #base: Base
  readonly #cluster: Cluster
  readonly #recheck: RecheckAccess
  readonly #locks: LockGuard

  /**
   * @param base the scope's place in the served root, for locks and events that users of other scopes share
   * @param recheck rechecks the rights before publication
   * @param locks refuses changes of what others have locked
   */
  constructor(store: StorageDriver, base: Base, cluster: Cluster, recheck: RecheckAccess, locks: LockGuard = NO_LOCKS) {
    this.#store = store
    this.#base = base
    this.#cluster = cluster
    this.#recheck = recheck
    this.#locks = locks
  }

  /**
   * Runs a change under the lock of the path. Locks of what leaves the path end with it.
   * @param touch what it does there; `keeps` changes nothing
   * @throws unauthorized once the session has ended, locked
   */
  locked<T>(path: FilePath, touch: Touch | 'keeps', act: () => Promise<T>): Promise<T> {
    return this.withLock(path, () => this.whileLocked(path, touch, act))
  }

  /** The same for a caller that has the lock of the path. */
  async whileLocked<T>(path: FilePath, touch: Touch | 'keeps', act: () => Promise<T>): Promise<T> {
    await this.#recheck.session()
    const locks = touch === 'keeps' ? [] : await this.#locks.demand(path, touch)
    const done = await act()
    if (touch === 'tree') await this.#locks.left(path, locks).catch(() => {})
    return done
  }

  /** Refuses a change of what others have locked, for changes that do not go through `locked`. @throws locked */
  async demandFree(path: FilePath, touch: Touch): Promise<void> {
    await this.#locks.demand(path, touch)
  }

  /** Runs `act` under the lock of a thing in the trash. @throws unauthorized once the session has ended */
  lockedKept<T>(id: string, act: () => Promise<T>): Promise<T> {
    return this.#cluster.lock(`kept:${id}`, async () => {
      await this.#recheck.session()
      return act()
    })
  }

  /**
   * Runs `act` under the lock of the path, without asking for the session or for locks.
   * @param signal stops waiting
   */
  withLock<T>(path: FilePath, act: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#cluster.lock(`file:${this.#base.placeOf(path)}`, act, signal)
  }

  notify(path: FilePath, change: Change['change']): void {
    const whole = this.#base.placeOf(path)
    this.#cluster.publish('files.changed', { folder: parentOf(whole), path: whole, change })
  }

  /** A thing came into the trash, or left it. @param path what it had */
  trashed(path: FilePath): void {
    this.#cluster.publish('trash.changed', { place: this.#base.placeOf(path) })
  }

  /**
   * Calls `notify` when something in a folder may have changed, by any program.
   * @param canonical the folder's place in the scope, symbolic links resolved
   * @returns stops the watch
   */
  async watch(path: FilePath, canonical: FilePath, notify: () => void): Promise<() => void> {
    const folder = this.#base.placeOf(canonical)
    const unsubscribe = this.#cluster.subscribe('files.changed', change => {
      if (change.folder === folder || change.path === folder) notify()
    })
    const unwatch = await this.#store.disk?.watch(path, notify).catch(() => undefined)
    return () => {
      for (const end of [unsubscribe, unwatch]) end?.()
    }
  }
}

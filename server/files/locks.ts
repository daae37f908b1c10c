import { randomUUID } from 'node:crypto'
import type { LockScope, LockVia } from '../../shared/api/locks.ts'
import { type FilePath, isWithin, parentOf, pathsDownTo, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { Entry } from '../storage/driver.ts'
import type { Changes } from './changes.ts'
import { type LockPlaces, placeTouched } from './lock-guard.ts'
import type { DescribeLock, Lock, LockHolder } from './lock-records.ts'
import { conflicting, isUsable } from './lock-rules.ts'
import { demandSeen, type Policy } from './policy.ts'

export interface LocksContext {
  /** The entry at a path, with all checks. */
  info(path: FilePath): Promise<Entry>
  policy: Policy
  changes: Changes
  places: LockPlaces
  /** Nothing for callers without an account. */
  holder: LockHolder | undefined
}

/** What a client asks for. */
export interface LockRequest {
  deep: boolean
  scope: LockScope
  /** Milliseconds. */
  lifetime: number
  ownerXml: string
  label: string
  via: LockVia
  /** See `Lock.wopiId`. */
  wopiId?: string
  /** See `LockRecords.add`. */
  describe?: DescribeLock
}

/** A lock as one user may know it. */
export interface SeenLock extends Omit<Lock, 'username'> {
  /** The nearest path to the locked one that the user may see. */
  path: FilePath
  mine: boolean
  /** Whether the user may end it without its token. */
  releasable: boolean
  who?: string
}

/** Locks of one user's files. They stop the changes of all users, by any protocol; see `LockGuard`. */
export class Locks {
  readonly #context: LocksContext

  constructor(context: LocksContext) {
    this.#context = context
  }

  /**
   * Locks a file or a folder that exists.
   * @throws locked by another one, not_found, forbidden, no_space for too many
   */
  async take(path: FilePath, { lifetime, describe, ...request }: LockRequest): Promise<SeenLock> {
    const { policy, changes, info } = this.#context
    const { records, id: userId, bearer } = this.#demandHolder()
    demandSeen(policy, path, 'replace')
    if (path === ROOT) throw new AppError('forbidden')
    return changes.withLock(path, async () => {
      const { kind } = await info(path)
      const place = await this.#placeOf(path)
      const wanted = { ...request, deep: request.deep && kind === 'folder', place, userId, bearer }
      const conflict = async () => {
        const below = wanted.deep ? await records.below(place, LIMITS.locks) : []
        return conflicting([...(await records.above(place)), ...below], wanted)
      }
      const lock = await records.add(wanted, lifetime, conflict, describe)
      return this.#seen(lock, path)
    })
  }

  /**
   * Extends a lock of a path, or of a folder that it is in: the caller's, or an editor's.
   * @param wopiId what the editor calls its lock from now on
   * @throws no_lock without one of that token
   */
  async refresh(path: FilePath, token: string, lifetime: number, wopiId?: string): Promise<SeenLock> {
    const lock = await this.#held(path, token)
    return { ...lock, until: await this.#demandHolder().records.refresh(lock, lifetime, wopiId) }
  }

  /** Ends a lock by its token. @throws no_lock without one of that token, forbidden for another user's */
  async unlock(path: FilePath, token: string): Promise<void> {
    const { records, id } = this.#demandHolder()
    const lock = (await this.at(path)).find(one => one.token === token)
    if (!lock) throw new AppError('no_lock')
    if (!isUsable(lock, id)) throw new AppError('forbidden')
    await records.end([lock])
  }

  /**
   * Locks that hold at a path, one of its folder that holds its name there, and those of what is in it, as far as the user
   * may see them.
   */
  async list(path: FilePath): Promise<SeenLock[]> {
    const { records } = this.#demandHolder()
    const over = await this.#over(path, { names: true })
    if (!(await records.any())) return []
    const below = await records.below(await this.#placeOf(path), LIMITS.listedLocks)
    return [...over, ...below.flatMap(lock => this.#below(lock))]
  }

  /** Locks that hold at a path, also where nothing stands yet. @throws forbidden */
  async at(path: FilePath): Promise<SeenLock[]> {
    demandSeen(this.#context.policy, path, 'list')
    return this.#holding(path)
  }

  /** The locks that hold at a folder and at all that is in it, by path; asked once for all of them. @throws forbidden */
  async inside(folder: FilePath): Promise<(path: FilePath) => SeenLock[]> {
    demandSeen(this.#context.policy, folder, 'list')
    const { records } = this.#demandHolder()
    if (!(await records.any())) return () => []
    const holding = await this.#holding(folder)
    const inherited = holding.filter(({ deep }) => deep)
    const below = await records.below(await this.#placeOf(folder), LIMITS.locks)
    const own = Map.groupBy(
      below.flatMap(lock => this.#below(lock)),
      ({ path }) => path,
    )
    const ownAt = (path: FilePath) => (at: FilePath) => own.get(at)?.filter(({ deep }) => deep || at === path) ?? []
    return path => (path === folder ? holding : [...inherited, ...pathsDownTo(path).flatMap(ownAt(path))])
  }

  /** Ends a lock by its id: the user's own, any for administrators. @throws not_found, forbidden */
  async release(path: FilePath, id: string): Promise<SeenLock> {
    const lock = (await this.list(path)).find(one => one.id === id)
    if (!lock) throw new AppError('not_found')
    if (!lock.releasable) throw new AppError('forbidden')
    await this.#demandHolder().records.end([lock])
    return lock
  }

  async #held(path: FilePath, token: string): Promise<SeenLock> {
    const { id } = this.#demandHolder()
    const lock = (await this.at(path)).find(one => isUsable(one, id) && one.token === token)
    if (!lock) throw new AppError('no_lock')
    return lock
  }

  /** @param how `names`: also a lock of the folder that a path is in, by whatever depth */
  async #over(path: FilePath, how: { names?: boolean } = {}): Promise<SeenLock[]> {
    await this.#context.info(path)
    return this.#holding(path, how)
  }

  async #holding(path: FilePath, { names = false } = {}): Promise<SeenLock[]> {
    const { holder } = this.#context
    if (!holder || !(await holder.records.any())) return []
    const place = await this.#placeOf(path)
    const locks = await holder.records.above(place)
    const holds = (lock: Lock) => lock.deep || lock.place === place || (names && lock.place === parentOf(place))
    return locks.filter(holds).map(lock => this.#seen(lock, path))
  }

  async #placeOf(path: FilePath): Promise<FilePath> {
    const { served, base } = this.#context.places
    return (await placeTouched(await served(), base.placeOf(path), 'content')).place
  }

  #below(lock: Lock): SeenLock[] {
    const path = this.#pathOf(lock.place)
    return path !== undefined && this.#context.policy.sees(path) ? [this.#seen(lock, path)] : []
  }

  /** @param path the asked one, which the user may see */
  #seen({ username, ...lock }: Lock, path: FilePath): SeenLock {
    const { id, isAdmin, names } = this.#demandHolder()
    const mine = lock.userId === id
    const own = this.#pathOf(lock.place)
    const isSeen = (shown: FilePath) => (own === undefined || isWithin(shown, own)) && this.#context.policy.sees(shown)
    const isNamed = mine || names === 'everyone' || (names === 'admins' && isAdmin)
    return {
      ...lock,
      path: pathsDownTo(path).find(isSeen) ?? path,
      mine,
      releasable: mine || isAdmin,
      ...(isNamed && { who: username }),
    }
  }

  /** The path of a place in the scope; nothing for a place outside it. */
  #pathOf(place: FilePath): FilePath | undefined {
    return this.#context.places.base.pathOf(place)
  }

  #demandHolder(): LockHolder {
    const { holder } = this.#context
    if (!holder) throw new AppError('forbidden')
    return holder
  }
}

/** A token that no client can guess (RFC 4918 6.5). */
export const newLockToken = () => `opaquelocktoken:${randomUUID()}`

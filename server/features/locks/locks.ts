import { randomBytes } from 'node:crypto'
import type { FilePath } from '../../../shared/path.ts'
import type { Audit } from '../../audit/audit.ts'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { lockedBy } from '../../files/lock-guard.ts'
import type { DescribeLock, Lock, LockRecords, NewLock } from '../../files/lock-records.ts'
import { newLockToken } from '../../files/locks.ts'
import { LIMITS } from '../../limits.ts'
import { findUser } from '../users/users.store.ts'
import {
  countLocks,
  deleteExpiredLocks,
  deleteLocks,
  deleteLocksOf,
  extendLock,
  hasLocks,
  insertLock,
  locksAbove,
  locksBelow,
} from './locks.store.ts'

/** The rows of locks, shared by all servers; nothing about them is cached. */
export class StoredLocks implements LockRecords {
  readonly #db: Db
  readonly #cluster: Cluster
  readonly #audit: Pick<Audit, 'commit'>

  constructor({ db, cluster, audit }: { db: Db; cluster: Cluster; audit: Pick<Audit, 'commit'> }) {
    this.#db = db
    this.#cluster = cluster
    this.#audit = audit
  }

  any(): Promise<boolean> {
    return hasLocks(this.#db)
  }

  above(place: FilePath): Promise<Lock[]> {
    return locksAbove(this.#db, place)
  }

  below(place: FilePath, limit: number): Promise<Lock[]> {
    return locksBelow(this.#db, place, limit)
  }

  async add(
    wanted: NewLock,
    lifetime: number,
    conflict: () => Promise<Lock | undefined>,
    describe?: DescribeLock,
  ): Promise<Lock> {
    const lock = await this.#cluster.lock('locks', async () => {
      await deleteExpiredLocks(this.#db)
      const other = await conflict()
      if (other) throw lockedBy(other)
      const { all, own } = await countLocks(this.#db, wanted.userId)
      if (all >= LIMITS.locks || own >= LIMITS.locksOfUser) throw new AppError('no_space', 'there are too many locks')
      const since = Date.now()
      const made = { ...wanted, id: randomBytes(8).toString('hex'), token: newLockToken() }
      const added = { ...made, since, until: since + lifetime }
      await this.#insert(added, describe)
      return added
    })
    this.#changed([lock])
    return { ...lock, username: (await findUser(this.#db, lock.userId))?.username ?? '' }
  }

  async refresh({ id }: Pick<Lock, 'id'>, lifetime: number, wopiId?: string): Promise<number> {
    const now = Date.now()
    await extendLock(this.#db, id, { now, until: now + lifetime, wopiId })
    return now + lifetime
  }

  async end(locks: readonly Pick<Lock, 'id' | 'place'>[]): Promise<void> {
    const ids = locks.map(({ id }) => id)
    await deleteLocks(this.#db, ids)
    this.#changed(locks)
  }

  /** Ends the locks that ended sessions and tokens of a user took: of one of them, or all but one. */
  async endOf(userId: number, which: { only?: string | undefined; but?: string | undefined } = {}): Promise<void> {
    await deleteLocksOf(this.#db, userId, which)
  }

  /** Removes expired rows. */
  sweep(): Promise<void> {
    return deleteExpiredLocks(this.#db)
  }

  async #insert(lock: Omit<Lock, 'username'>, describe: DescribeLock | undefined): Promise<void> {
    if (!describe) return insertLock(this.#db, lock)
    const { event, along } = await describe(lock)
    await this.#audit.commit(event, transaction => insertLock(transaction, lock), along)
  }

  #changed(locks: readonly Pick<Lock, 'place'>[]): void {
    for (const { place } of locks) this.#cluster.publish('locks.changed', { place })
  }
}

import type { ActivityNames } from '../../shared/api/activity.ts'
import type { LockScope, LockVia } from '../../shared/api/locks.ts'
import type { FilePath } from '../../shared/path.ts'
import type { AlongAudit, AuditEvent } from '../audit/audit.ts'

/** A lock of a file or a folder, held by a user through a program. Times are milliseconds since the epoch. */
export interface Lock {
  id: string
  /** What its holder submits to change what it protects. */
  token: string
  /** In the served root, symbolic links resolved. */
  place: FilePath
  /** Whether it protects all that is in the folder. */
  deep: boolean
  scope: LockScope
  userId: number
  username: string
  /** The session or the API token that took it. */
  bearer: string
  /** The content of the element `owner` of WebDAV, as XML. */
  ownerXml: string
  /** The program. */
  label: string
  via: LockVia
  /** What an office editor calls its lock. Only of those. */
  wopiId?: string | undefined
  since: number
  until: number
}

export type NewLock = Omit<Lock, 'id' | 'token' | 'username' | 'since' | 'until'>

/** The row of the audit log about a lock, and what is written along with it. */
export interface LockEvent {
  event: AuditEvent
  along?: AlongAudit | undefined
}

/** Describes the lock that is about to be taken. */
export type DescribeLock = (lock: Pick<Lock, 'id' | 'label'>) => Promise<LockEvent>

/** The rows of locks; expired ones are never returned. See `server/features/locks`. */
export interface LockRecords {
  /** Whether there is any lock at all: most changes end with this. */
  any(): Promise<boolean>
  /** Locks of a place, and of the folders above it. */
  above(place: FilePath): Promise<Lock[]>
  /** Locks of what is below a place, up to a number of them. */
  below(place: FilePath, limit: number): Promise<Lock[]>
  /**
   * Adds a lock unless another one conflicts. @param lifetime in milliseconds
   * @param conflict returns the one that does
   * @param describe what is written to the audit log in the same transaction
   * @throws locked with it, no_space for too many
   */
  add(
    lock: NewLock,
    lifetime: number,
    conflict: () => Promise<Lock | undefined>,
    describe?: DescribeLock,
  ): Promise<Lock>
  /** Extends a lock. @param wopiId its new name, of an editor's lock @returns its new end */
  refresh(lock: Pick<Lock, 'id'>, lifetime: number, wopiId?: string): Promise<number>
  end(locks: readonly Pick<Lock, 'id' | 'place'>[]): Promise<void>
}

/** Whose locks they are, and what the request holds. */
export interface LockHolder {
  records: LockRecords
  id: number
  isAdmin: boolean
  bearer: string
  /** Tokens that the request submitted. */
  holding: ReadonlySet<string>
  /** Who sees the names of other users. */
  names: ActivityNames
}

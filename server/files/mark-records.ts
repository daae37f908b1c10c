import type { FilePath } from '../../shared/path.ts'
import type { MarkedObject } from './marked-object.ts'
import type { Author, RemarkRecords } from './remark-records.ts'
import type { TagRecords } from './tag-records.ts'

/** A file or folder as it is now; the place is in the served root. */
export interface MarkedNow {
  identity: string
  place: FilePath
}

/** When a user opened or changed something, in milliseconds since the epoch. */
export interface RecentTimes {
  openedAt?: number
  changedAt?: number
}

/** The records of what users mark; see `server/history`. */
export interface MarkRecords extends TagRecords, RemarkRecords {
  /** The object of an identity. */
  objectOf(identity: string): Promise<MarkedObject | undefined>
  /** Objects that were last seen at a place, the latest first. */
  objectsAt(place: FilePath): Promise<MarkedObject[]>
  /** The object of a file or folder, made if there is none. @returns its id */
  add(now: MarkedNow): Promise<string>
  /** An object has another content, which another program gave it. */
  identify(object: string, now: MarkedNow): Promise<void>
  /** Notes that objects are where their records say. */
  seen(objects: readonly MarkedObject[]): Promise<void>
  /** Ids of things in the trash that an object may be, or lie in, the latest first. */
  inTrash(object: Pick<MarkedObject, 'identity' | 'place'>): Promise<string[]>
  /** Whether an object, or a folder above it, was deleted or moved away since it was last seen at its place. */
  hasLeft(object: MarkedObject): Promise<boolean>

  /** What a user starred, in order. */
  stars(userId: number): Promise<MarkedObject[]>
  /** Adds a star at the end; a repeated call changes nothing. */
  star(userId: number, object: string): Promise<void>
  unstar(userId: number, objects: readonly string[]): Promise<void>
  /** Sets the order of all stars of a user. */
  order(userId: number, objects: readonly string[]): Promise<void>

  /** What a user opened or changed, without what is still to be written by other servers. */
  recent(userId: number): Promise<(MarkedObject & RecentTimes)[]>
  /** Notes that a user opened a file; written later. */
  opened(userId: number, now: MarkedNow): void
  clearRecent(userId: number): Promise<void>
  /** Whether what a user opens is noted. */
  remembers(userId: number): Promise<boolean>
  remember(userId: number, isOn: boolean): Promise<void>
}

/** Whose marks they are. */
export interface MarkOwner {
  records: MarkRecords
  id: number
  author: Author & { isAdmin: boolean }
  /** Whether the user makes, changes and deletes shared tags. */
  sharesTags: boolean
}

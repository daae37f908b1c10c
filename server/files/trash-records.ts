import type { FilePath } from '../../shared/path.ts'
import type { KeptAt } from '../storage/driver.ts'
import type { StepAhead } from './change-records.ts'

/** A thing in the trash, as recorded. `place` is the path in the served root that it had. */
export interface KeptRecord {
  id: string
  at: KeptAt
  place: FilePath
  /** Of the thing itself; a link has its own. */
  identity: string
  isFolder: boolean
  /** Bytes of a file; 0 for a folder. */
  size: number
  /** Milliseconds since the epoch. */
  modified: number
  mode: number
  userId: number
  username: string
  deletedAt: number
  /** Another program deleted it. */
  isForeign?: true
}

/** Where the path of a deleted item leads now that a folder above it was moved. Both are in the served root. */
export interface PlaceNow {
  place: FilePath
  /** The folder that was moved last. */
  folder: FilePath
  /** That folder's, since it was moved. */
  identity: string
}

/** What is asked of the recorded things. */
export interface KeptFilter {
  /** Folders of the served roots: what was in any of them. */
  under: readonly FilePath[]
  userId?: number
  /** The last id of the page before. */
  before?: string
  /** Milliseconds since the epoch. */
  deletedBefore?: number
  /** Whether what other programs deleted is included; it is unless given. */
  foreign?: boolean
}

/** Things in one area: their number, and the bytes that are known of them. */
export interface AreaSum extends Pick<KeptAt, 'home' | 'area'> {
  count: number
  bytes: number
}

/** What a listing of the trash asks for. */
export interface TrashRequest {
  /** Only things that were in this folder of the scope, or below it. */
  folder: FilePath
  mine: boolean
  /** Part of the name, in any letter case. */
  name: string
  before?: string
  /** Milliseconds since the epoch. */
  deletedBefore?: number
}

/** The records of deleted things; see `server/history`. Every change is durable when it settles. */
export interface TrashRecords {
  newId(): string
  /** Records what other programs deleted. */
  refresh?(): Promise<void>
  /** Before a thing is set aside, with the step of a change that it is. */
  begin(record: KeptRecord, ahead?: StepAhead): Promise<void>
  /** A copy of it was set aside, which has another identity. */
  copied(id: string, identity: string): Promise<void>
  /**
   * It was set aside.
   * @param later its step: it is recorded with the other steps of its change, where these are written soon
   * @returns whether it is recorded now
   */
  kept(id: string, later?: StepAhead): Promise<boolean>
  /** It was not set aside, or was taken back at once. */
  forget(id: string): Promise<void>
  /** A thing that is in the trash. */
  find(id: string): Promise<KeptRecord | undefined>
  /** A thing that is in the trash, or a version. */
  findAny(id: string): Promise<Pick<KeptRecord, 'at'> | undefined>
  /** Things in areas that lie in a folder of the served root, at most some; deleting the folder would take them along. */
  inAreasWithin(folder: FilePath, limit: number): Promise<Pick<KeptRecord, 'id'>[]>
  /** A kept thing is in another area now. */
  moved(id: string, at: KeptAt): Promise<void>
  /** Where its path leads now; nothing unless a folder above it was moved since, or was deleted and restored. */
  placeNow(id: string): Promise<PlaceNow | undefined>
  /** Newest first. */
  list(filter: KeptFilter, limit: number): Promise<KeptRecord[]>
  /** What matches, by the area in which it lies. */
  sums(filter: KeptFilter): Promise<AreaSum[]>
  /** Claims a thing that is to leave the trash. @returns false when it has left, or another caller claimed it */
  leave(id: string, why: 'restored' | 'purged' | 'lost'): Promise<boolean>
  /** Before a claimed thing, or something in it, gets a path. */
  restoring(ahead: StepAhead): Promise<void>
  /** It got none. */
  notRestored(ahead: StepAhead): Promise<void>
  /** A claimed thing stays. */
  stay(id: string): Promise<void>
  /** A claimed thing has left. */
  gone(id: string): Promise<void>
}

/** A write that does not fit on its disk. */
export interface RoomRequest {
  /** The folder in the served root. */
  place: FilePath
  /** Bytes that it needs. */
  bytes: number
  /** Size of its file system. */
  total: number
}

/** Deletes what is kept on the disk of a write, the oldest first, if that frees enough room for it. */
export type MakeRoom = (request: RoomRequest) => Promise<void>

/** What the host decides about the trash. */
export interface TrashPolicy {
  /** Folders of the served root in which deletions are permanent. */
  skip: readonly FilePath[]
  /** `own`: only administrators see what other users deleted. */
  seenBy: 'place' | 'own'
  /** Who deletes for good. */
  permanentBy: 'everyone' | 'admins'
  /** Whether things are shown that desktop programs deleted. */
  desktop: 'show' | 'hide'
  /** Bytes of a thing that is copied where a rename leaves its file system. */
  copyBytes: number
}

export const DEFAULT_TRASH_POLICY: TrashPolicy = {
  skip: [],
  seenBy: 'place',
  permanentBy: 'everyone',
  desktop: 'show',
  copyBytes: 2 ** 30,
}

/** Whose deletions they are. */
export interface TrashOwner {
  records: TrashRecords
  policy: TrashPolicy
  id: number
  username: string
  isAdmin: boolean
}

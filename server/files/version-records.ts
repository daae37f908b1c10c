import type { VersionMode, VersionReason } from '../../shared/api/versions.ts'
import type { FilePath } from '../../shared/path.ts'
import type { KeptAt } from '../storage/driver.ts'
import type { FileNow, StepAhead } from './change-records.ts'

/** A former content of a file, as recorded. `place` is the path in the served root that the file had. */
export interface VersionRecord {
  id: string
  at: KeptAt
  place: FilePath
  /** The file that it belongs to, through all its contents and moves. */
  object: string
  /** Of what is kept. */
  identity: string
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch. */
  modified: number
  mode: number
  /** Who replaced it, and when. */
  userId: number
  username: string
  replacedAt: number
  reason: VersionReason
  label: string | undefined
  pinned: boolean
}

/** A content that is about to give way. */
export interface NewVersion extends Omit<VersionRecord, 'object' | 'label' | 'pinned'> {
  /** Identity of the file that gives way. */
  was: string
  /** The recorded change that replaces it. */
  change?: string | undefined
}

/** What is known of a file that has versions. */
export interface VersionedObject {
  id: string
  place: FilePath
  /** Of the content that this server left, with its size and modification time if known. */
  identity: string
  size: number | null
  modified: number | null
}

/** The records of former contents; see `server/history`. Every change is durable when it settles. */
export interface VersionRecords {
  newId(): string
  /**
   * Before the file gives way. Replaces what an earlier call recorded under the same id.
   * @param ahead the step of a change that it is
   */
  begin(version: NewVersion, ahead?: StepAhead): Promise<void>
  /** It gave way to the file that is there now. With a step, the records are completed when its change is written. */
  done(id: string, now: FileNow, ahead?: StepAhead): Promise<void>
  /** It did not. */
  forget(id: string, ahead?: StepAhead): Promise<void>
  /** The object that a file is, if it has versions. */
  objectOf(file: Pick<FileNow, 'identity' | 'place'>): Promise<VersionedObject | undefined>
  /** Whether what a file replaced, as it is now, was not kept. */
  lostBefore(file: Pick<FileNow, 'identity' | 'place'>): Promise<boolean>
  /** The newest first. */
  list(object: string, before: string | undefined, limit: number): Promise<VersionRecord[]>
  find(id: string): Promise<(VersionRecord & { objectPlace: FilePath }) | undefined>
  countPinned(object: string): Promise<number>
  change(id: string, to: { label: string | null; pinned: boolean }): Promise<void>
  /** Claims a version that is to be removed. @returns false when it is gone, or another caller claimed it */
  leave(id: string): Promise<boolean>
  /** A claimed version is gone. */
  gone(id: string): Promise<void>
  /**
   * A file or a folder was moved within the served root.
   * @param was its identity before
   * @param find the entry at its new path; called only where something belongs to it
   */
  moved(from: FilePath, was: string, find: () => Promise<FileNow | undefined>): Promise<void>
  /** A file or a folder came back from the trash at another path; both are places of the served root. */
  returned(from: FilePath, to: FilePath, identityAt: (place: FilePath) => Promise<string | undefined>): Promise<void>
  /**
   * Copies take the place of a file, or of a folder with what is in it.
   * @param find of what was at a place its identity, and the copy
   */
  copied(from: FilePath, find: (place: FilePath) => Promise<{ was: string; now: FileNow } | undefined>): Promise<void>
}

/** Which contents are kept. */
export interface VersionSettings {
  mode: VersionMode
  /** Days after which versions expire; 0 for no limit. */
  days: number
  /** Bytes that are copied where a file can have no second name. */
  copyBytes: number
  /** Whether files of a name have no versions. */
  skips(name: string): boolean
}

/** Whose changes they are. */
export interface VersionOwner {
  records: VersionRecords
  settings: VersionSettings
  id: number
  username: string
}

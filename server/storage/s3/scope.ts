import type { FilePath } from '../../../shared/path.ts'
import type { KeyedLock } from '../../lib/limit.ts'
import type { PathGuard } from '../driver.ts'
import type { UnfinishedNotes } from '../local/temp-names.ts'
import type { ObjectStore } from './client.ts'
import type { KeptState } from './kept/note.ts'
import type { FactsCache } from './object-metadata.ts'

/** A part of a bucket that confines all operations. */
export interface Scope {
  readonly client: ObjectStore
  /** Prefix of all keys: `''`, or with a trailing slash. */
  readonly base: string
  /** Prefix of the keys of unfinished objects; the same for all stores within. */
  readonly area: string
  readonly guard: PathGuard | undefined
  readonly facts: FactsCache
  readonly kept: KeptState
  /** The canonical path of this part below the one that was opened. */
  readonly rootPath: FilePath
  readonly onListing: ((folder: FilePath, read: () => ReadonlyMap<string, number>) => void) | undefined
  readonly locks: KeyedLock
  /** Whether files have presigned URLs. */
  readonly presigned: boolean
  readonly notes: UnfinishedNotes | undefined
  /** Keys of the notes about this process's unfinished objects, each with the timer that renews it. */
  readonly unfinished: Map<string, NodeJS.Timeout>
}

import type { KeyedLock } from '../../lib/limit.ts'
import type { PathGuard } from '../driver.ts'
import type { UnfinishedNotes } from '../local/temp-file-registry.ts'
import type { NameIndex } from '../names/messages.ts'
import type { S3Client } from './client.ts'
import type { KnownFacts } from './object-metadata.ts'

/** A part of a bucket that nothing leads out of. */
export interface Scope {
  readonly client: S3Client
  /** Where all keys begin: `''`, or with a slash at its end. */
  readonly base: string
  /** Where the keys of what is unfinished begin; the same for all stores within. */
  readonly area: string
  readonly guard: PathGuard | undefined
  readonly facts: KnownFacts
  readonly names: IndexedNames | undefined
  readonly locks: KeyedLock
  /** Whether files tell an address at which anybody can get them for a while. */
  readonly presigned: boolean
  readonly notes: UnfinishedNotes | undefined
  /** Keys of the notes about what this process is making right now, each with what renews it. */
  readonly unfinished: Map<string, NodeJS.Timeout>
}

/** An index of the names in a part of a bucket. */
export interface IndexedNames {
  readonly index: NameIndex
  /** Where the keys of that part begin. */
  readonly base: string
}

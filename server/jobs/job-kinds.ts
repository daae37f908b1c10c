import type { UndoBody } from '../../shared/api/changes.ts'
import type { ResolveAct } from '../../shared/api/jobs.ts'
import type { ConflictChoice } from '../../shared/conflicts.ts'

/** The choices for single paths, and the one for all others; the times they were based on. */
export interface Choices {
  conflict?: ConflictChoice
  choices?: Readonly<Record<string, ConflictChoice>>
  /** Modification times of the entries when the choices were made, RFC 3339. */
  seen?: Readonly<Record<string, string>>
}

/** Whether each copy is read again and compared. */
interface Verified {
  verify?: boolean
}

/** A transfer for a protocol that merges nothing: see `WholeRequest`. */
export interface Whole {
  whole?: {
    replaces: boolean
    trash?: 'never' | 'only'
    /** Tokens of locks that the request submitted. */
    holding: readonly string[]
  }
}

/** What the user chose before an undo. */
export type UndoDecisions = Pick<UndoBody, 'choices' | 'conflict' | 'offers' | 'offer'>

/** Every kind of job, and its parameters besides its items. */
export interface JobPayloads {
  copy: Choices & Verified & Whole
  move: Choices & Verified & Whole
  /** Items that take each other's names: the position of the first, and their number. */
  rename: { cycles: readonly (readonly [start: number, length: number])[] }
  /** See `RemovalOptions`. */
  delete: { permanent?: boolean; trash?: 'never' | 'only'; copy?: boolean }
  /** Each item is an archive and its destination folder. */
  extract: Choices
  /** Each item is a step of the change, by its position there. */
  undo: UndoDecisions & { change: string; positions: readonly number[] }
  /** Each item is an operation of the plan; the user cannot decide about single ones. */
  rewind: { plan: readonly unknown[] }
  /** Each item is a file, or a folder with all its files. */
  verify: Record<string, never>
  /** Each item is a folder; see `DuplicateRunsTable`. */
  duplicates: { least: number }
  /** Each item is a duplicate and the file that is kept. */
  resolve: { act: ResolveAct }
  /** Each item is the thing in the trash with the id at its position; `bytes` are all that are known to be freed. */
  empty: { ids: readonly string[]; bytes: number }
  /** Its one item is the archive of these. */
  archive: { sources: readonly string[]; format: string; conflict?: ConflictChoice }
}

export type JobKind = keyof JobPayloads

import type { Db } from '../../../db/schema.ts'
import type { ImportState } from '../import-state.ts'
import type { Note, Tally } from '../report.ts'

/** Context of an import. */
export interface ImportContext {
  /** A transaction. */
  db: Db
  /** State of the last import. */
  last: ImportState | undefined
  /** Whether to replace values that differ here. */
  overwrite: boolean
  notes: Note[]
}

export const emptyTally = (): Tally => ({ added: 0, changed: 0, same: 0, kept: 0 })

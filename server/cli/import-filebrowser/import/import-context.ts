import type { Db } from '../../../db/schema.ts'
import type { Memory } from '../import-state.ts'
import type { Note, Tally } from '../report.ts'

/** What things are brought over with. */
export interface Ground {
  /** A transaction: all comes or nothing. */
  db: Db
  /** What came the last time. */
  last: Memory | undefined
  /** Whether what differs here gives way. */
  overwrite: boolean
  notes: Note[]
}

export const emptyTally = (): Tally => ({ added: 0, changed: 0, same: 0, kept: 0 })

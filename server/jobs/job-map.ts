import type { ConflictChoice } from '../../shared/conflicts.ts'

/** The choices for single paths, and the one for all others. */
export interface Choices {
  conflict?: ConflictChoice
  choices?: Readonly<Record<string, ConflictChoice>>
}

/** Every kind of job, and what the whole job needs to know beside its items. */
export interface JobMap {
  copy: Choices
  move: Choices
  delete: Record<string, never>
  /** Each item is an archive and the folder into which it goes. */
  extract: Choices
  /** Its one item is the archive that is made of these. */
  archive: { sources: readonly string[]; format: string; conflict?: ConflictChoice }
}

export type JobName = keyof JobMap

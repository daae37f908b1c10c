import type { ConflictChoice } from '../../shared/conflicts.ts'

/** The choices for single paths, and the one for all others; what they were made about. */
export interface Choices {
  conflict?: ConflictChoice
  choices?: Readonly<Record<string, ConflictChoice>>
  /** When things were changed last as the choices were made, RFC 3339. */
  seen?: Readonly<Record<string, string>>
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

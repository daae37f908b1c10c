import type { ConflictChoice } from '../../../../../shared/conflicts.ts'
import type { FilePath } from '../../../../../shared/path.ts'

/** The decision on a name conflict. */
export type Decision = ConflictChoice

/** A file or folder as one side of a conflict. */
export interface Version {
  isDir: boolean
  /** False for a link to a folder. */
  isSymlink?: boolean
  /** Bytes. */
  size: number
  /** Milliseconds since the epoch, or RFC 3339. */
  modified: number | string
  /** Its path, or the file itself before its upload, for a thumbnail. */
  source?: FilePath | File
}

/** An incoming item, and the existing one. */
export interface Conflict {
  /** Unique in the list. */
  id: string
  /** With as much of the path as distinguishes it from others. */
  name: string
  ours: Version
  /** Unknown without the permission to see it. */
  theirs: Version | undefined
  /** The conflict of a folder above it: this one is void unless that folder is merged. */
  inside?: string
}

/** The decisions on conflicts. */
export interface Decided {
  of(conflict: Conflict): Decision
  /** For conflicts that were only counted. */
  rest: Decision
}

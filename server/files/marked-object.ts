import type { FilePath } from '../../shared/path.ts'

/** What is recorded of a file or folder to which marks of users belong. */
export interface MarkedObject {
  id: string
  /** Of the folder, or of the file that had the newest content. */
  identity: string
  /** In the served root, where it was last seen; a hint. */
  place: FilePath
  /** Milliseconds since the epoch. */
  seenAt: number
}

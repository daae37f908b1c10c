import type { FilePath } from '../../shared/path.ts'

/** Bytes of a file that may be copied together with others. */
export const LARGEST_TOGETHER = 256 * 1024

/** Copies small files into an unfinished folder, many at a time. */
export interface TreeFiller {
  /**
   * Copies files with their times and modes into folders that are there; durable when it settles.
   * @returns whether each is there now; the others are to be copied one by one, which tells what is wrong with them
   */
  fill(files: readonly CopyOrder[]): Promise<readonly boolean[]>
  /** To be called once, at the end, whatever came of it. */
  close(): void
}

export interface CopyOrder {
  /** Where the file really is; see `Entry.canonical`. */
  from: FilePath
  /** Its path in the unfinished folder. */
  to: FilePath
}

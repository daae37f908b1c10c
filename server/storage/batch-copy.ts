import type { FilePath } from '../../shared/path.ts'

/** Largest file, in bytes, that is copied as part of a batch. */
export const LARGEST_TOGETHER = 256 * 1024

/** Copies small files into a staged folder in batches. */
export interface TreeFiller {
  /**
   * Copies files with their times and modes into existing folders. Durable when it resolves.
   * @returns whether each file was copied; the caller copies the others one by one, which yields their errors
   */
  fill(files: readonly CopyOrder[]): Promise<readonly boolean[]>
  /** Must be called exactly once, also after a failure. */
  close(): void
}

export interface CopyOrder {
  /** The canonical path; see `Entry.canonical`. */
  from: FilePath
  /** Path inside the staged folder. */
  to: FilePath
}

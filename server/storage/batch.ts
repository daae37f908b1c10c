import type { FilePath } from '../../shared/path.ts'
import type { Entry } from './entry.ts'

/** Reads the beginnings of many small files, cheaper than one by one. */
export interface BatchReader {
  /** Whether the worker has started; earlier requests wait for it. */
  readonly isReady: boolean
  read(requests: readonly ReadRequest[]): Promise<BatchRead>
  /** Must be called exactly once, also after a failure. */
  close(): void
}

/** A file to open, and how many of its leading bytes to read; 0 only checks that it can be read. */
export interface ReadRequest {
  file: FilePath
  bytes: number
}

/** An opened file with all requested bytes. */
export interface ReadFile {
  entry: Entry
  content: Uint8Array
}

/** The result of a batch read. */
export interface BatchRead {
  /**
   * In the order of the requests. `undefined` where the caller has to open the file individually, which yields its
   * error: refused, behind a link, shorter than requested, or not a file.
   */
  readonly files: readonly (ReadFile | undefined)[]
  /** Releases the memory of the contents for reuse; they must not be read afterwards. Call at most once. */
  release(): void
}

/** Copies small files into a staged folder, cheaper than one by one. */
export interface BatchCopier {
  /**
   * Copies files with their times and modes into existing folders. Durable when it resolves.
   * @returns whether each file was copied; the caller copies the others one by one, which yields their errors
   */
  copy(requests: readonly CopyRequest[]): Promise<readonly boolean[]>
  /** Must be called exactly once, also after a failure. */
  close(): void
}

export interface CopyRequest {
  /** The canonical path; see `Entry.canonical`. */
  from: FilePath
  /** Path inside the staged folder. */
  to: FilePath
}

/** Largest file, in bytes, that is copied as part of a batch. */
export const LARGEST_IN_BATCH = 256 * 1024

import type { FilePath } from '../../shared/path.ts'
import type { Entry } from './entry.ts'

/** A file to open, and how many of its leading bytes to read; 0 only checks that it can be read. */
export interface ReadOrder {
  file: FilePath
  bytes: number
}

/** An opened file with all requested bytes. */
export interface ReadFile {
  entry: Entry
  content: Uint8Array
}

/** The result of a batch read. */
export interface ReadTogether {
  /**
   * In the order of the requests. `undefined` where the caller has to open the file individually, which yields its
   * error: refused, behind a link, shorter than requested, or not a file.
   */
  readonly files: readonly (ReadFile | undefined)[]
  /** Releases the memory of the contents for reuse; they must not be read afterwards. Call at most once. */
  release(): void
}

/** Reads the beginnings of many files, cheaper than one by one. */
export interface ReaderTogether {
  /** Whether the worker has started; earlier requests wait for it. */
  readonly isReady: boolean
  read(orders: readonly ReadOrder[]): Promise<ReadTogether>
  /** Must be called exactly once, also after a failure. */
  close(): void
}

import type { FilePath } from '../../shared/path.ts'
import type { Entry } from './entry.ts'

/** A file that is to be opened, and how many bytes from its beginning are wanted; 0 only to see that it can be read. */
export interface ReadOrder {
  file: FilePath
  bytes: number
}

/** A file as it was opened, with all the bytes that were wanted. */
export interface ReadFile {
  entry: Entry
  content: Uint8Array
}

/** What came of reading many. */
export interface ReadTogether {
  /**
   * Of each order in turn; nothing for each that is to be opened by itself, which tells what is wrong with it: one that is
   * refused, behind a link, shorter than wanted, or no file.
   */
  readonly files: readonly (ReadFile | undefined)[]
  /** Lets the memory of the contents be used again: nobody may look at them any more. To be called once, or not at all. */
  release(): void
}

/** Reads the beginnings of many files, cheaper than one by one. */
export interface ReaderTogether {
  /** Whether it has started; what is asked of it before waits for that. */
  readonly isReady: boolean
  read(orders: readonly ReadOrder[]): Promise<ReadTogether>
  /** To be called once, at the end, whatever came of it. */
  close(): void
}

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

/** Reads the beginnings of many files, cheaper than one by one. */
export interface ReaderTogether {
  /** Whether it has started; what is asked of it before waits for that. */
  readonly isReady: boolean
  /**
   * @returns nothing for each that is to be opened by itself, which tells what is wrong with it: one that is refused, behind a
   *   link, shorter than wanted, or no file
   */
  read(orders: readonly ReadOrder[]): Promise<readonly (ReadFile | undefined)[]>
  /** To be called once, at the end, whatever came of it. */
  close(): void
}

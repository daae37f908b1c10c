/** One of the things that can be made anew. */
export interface SpareFile {
  /** 32 or more hexadecimal digits, evenly spread. */
  name: string
  /** In bytes. */
  size: number
  /** When it was written, in milliseconds since the epoch, perhaps of whole seconds. */
  written: number
}

/**
 * A place for what can be made anew, by name: without folders, conditions and rights. A failure of power may leave other
 * bytes in it. Other things that lie there are left alone. Several processes may share one.
 */
export interface SpareFiles {
  /** The whole of one; nothing when it is not there. @throws AppError as the store does */
  read(name: string): Promise<{ bytes: Buffer; written: number } | undefined>
  /** Keeps one, all or nothing, in the place of what has its name. @throws AppError as the store does, `no_space` among others */
  write(name: string, bytes: Buffer): Promise<void>
  /** All there are, some at a time, in no order. @throws AppError as the store does */
  list(): AsyncIterable<SpareFile[]>
  /** Removes some; those that are gone already are fine. @throws AppError as the store does */
  remove(names: readonly string[]): Promise<void>
}

/** What is told from other things by its name. */
export const SPARE_NAME = /^[0-9a-f]{32,}$/

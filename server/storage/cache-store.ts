/** A cached file, which can be made again at any time. */
export interface CachedFile {
  /** At least 32 hexadecimal digits, evenly distributed. */
  name: string
  /** In bytes. */
  size: number
  /** Time of writing in milliseconds since the epoch, possibly of whole seconds only. */
  written: number
}

/**
 * A flat store for cached files: no folders, preconditions or permissions. After a power cut it may hold corrupt
 * content. Foreign files in it are left alone. Several processes may share one.
 */
export interface CacheStore {
  /** A whole file, or `undefined` when there is none. @throws AppError as the driver does */
  read(name: string): Promise<{ bytes: Buffer; written: number } | undefined>
  /**
   * Writes a file, all or nothing, replacing one of the same name. @throws AppError as the driver does, including
   * `no_space`
   */
  write(name: string, bytes: Buffer): Promise<void>
  /** All files, in batches, in no order. @throws AppError as the driver does */
  list(): AsyncIterable<CachedFile[]>
  /** Removes files; missing ones are ignored. @throws AppError as the driver does */
  remove(names: readonly string[]): Promise<void>
}

/** Distinguishes cached files from foreign ones by their names. */
export const CACHED_NAME = /^[0-9a-f]{32,}$/

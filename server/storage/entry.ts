import type { FilePath } from '../../shared/path.ts'

/** What `list` and `stat` return. For a followed link all but `path`, `name` and `isLink` is the target's. */
export interface Entry {
  /** Last name of `path`; `''` for the root. */
  name: string
  /** The path as requested. */
  path: FilePath
  /** The real path below the root; equals `path` unless a link was followed on the way. */
  canonical: FilePath
  /** `link`: leads out of the root or nowhere. `special`: FIFO, socket, device. */
  kind: 'file' | 'folder' | 'link' | 'special'
  isLink: boolean
  /** Bytes. For a folder whatever the store reports for the folder itself, not for its content. */
  size: number
  /** Milliseconds since the epoch, with fractions where the store has them. */
  modified: number
  /** POSIX permission bits (0…0o7777). */
  mode: number
  /**
   * A strong validator of the content: a new value after every change. Opaque, without quotes. For a listed child it
   * may be a lazy getter, like `identity`, so that a spread copy of the child lacks both.
   */
  version: string
  /**
   * Identifies the object independently of its name and content: unchanged by an edit in place or a move, different for
   * an object that took its name. Opaque; stable across restarts if the store is persistent.
   */
  identity: string
  /** The identity is that of the name: a folder of a bucket that exists only through the objects in it. */
  isNameOnly?: true
}

import type { FilePath } from '../../shared/path.ts'

/** What `list` and `stat` tell of one thing. For a followed link all but `path`, `name` and `isLink` is the target's. */
export interface Entry {
  /** Last name of `path`; `''` for the root. */
  name: string
  /** The path as it was asked for. */
  path: FilePath
  /** Where the thing really is, below the root; equals `path` unless a link was followed on the way. */
  canonical: FilePath
  /** `link`: one that leads out of the root or nowhere. `special`: FIFO, socket, device. */
  kind: 'file' | 'folder' | 'link' | 'special'
  isLink: boolean
  /** Bytes. For a folder whatever the store says of the folder itself, not of its content. */
  size: number
  /** Milliseconds since the epoch, with fractions where the store has them. */
  modified: number
  /** POSIX permission bits (0…0o7777). */
  mode: number
  /**
   * A strong validator of the content: another value after every change. Opaque, without quotes. Of a listed child it may
   * be made only now, as the next one, so that a copy of the child by its own properties lacks both.
   */
  version: string
  /**
   * Which object this is, whatever its name and content: the same after a change in place or a move, another for a
   * thing that took its name. Opaque; kept across restarts wherever the store itself is.
   */
  identity: string
}

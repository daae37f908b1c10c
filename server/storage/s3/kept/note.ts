import type { FilePath } from '../../../../shared/path.ts'
import type { KeptNote } from '../../driver.ts'
import type { Facts } from '../object-metadata.ts'

/** What all stores of one bucket know of its area. */
export interface KeptState {
  /** Maximum number of objects in a folder that is copied. */
  readonly most: number
  area: string | undefined
  versioning: { isOn: boolean; at: number } | undefined
  readonly notes: Map<string, { etag: string; note: Note }>
}

export const newState = (most: number): KeptState => ({
  most,
  area: undefined,
  versioning: undefined,
  notes: new Map(),
})

/** One version of an object below the key that a kept thing had. */
export interface Held {
  /** The rest of the key. */
  rest: string
  version: string
  size: number
  etag: string
  changed: string
}

/** The note about a deleted thing. It is written last: a thing without a note is incomplete. */
export interface Note extends KeptNote {
  place: FilePath
  /** The key that it had; the prefix of a folder, with a slash at its end. */
  key: string
  was: Facts
  /** The versions of the bucket that are kept; `pages` of them where they are too many for the note. Else there are copies. */
  held?: Held[]
  pages?: number
  /** The key at which it is coming back. */
  to?: string
}

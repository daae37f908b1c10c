import { type FilePath, trustedChild } from '../../../shared/path.ts'
import type { Sorting } from '../../../shared/sorting.ts'
import type { Entry, Head, SortedFolder } from '../driver.ts'
import type { FoundNames } from '../names/messages.ts'
import type { Confinement } from './handle.ts'
import { namesIn, SEPARATOR } from './name-table.ts'
import type { TreeToSeek } from './seek-tree.ts'
import { identityOf, type Marks, type PlainFacts, versionOf } from './stat-fields.ts'

/** A folder to be read by a worker thread. Descriptors are shared by all threads of the process. */
export interface FolderToRead {
  at: string
  root: string
  level: Confinement
  followsOut: boolean
  /** Names to leave alone: of disks that do not answer. */
  silent: readonly string[]
}

/** A link that was followed, by its index in the batch. */
export interface FollowedLink {
  index: number
  /** `undefined` for what lies outside of the root, which counts as lying where the link is. */
  canonical: FilePath | undefined
}

/**
 * A batch of entries as it travels between threads: a long string and two arrays of numbers cost a fraction of what
 * thousands of objects would. Names cannot hold NUL.
 */
export interface Columns {
  names: string
  /** `size, modified, mode, kind` of each entry. */
  numbers: Float64Array<ArrayBuffer>
  /** `ino, birthtimeNs, size, mtimeNs, ctimeNs` of each entry. */
  marks: BigInt64Array<ArrayBuffer>
  /** Links that were followed. Others have the kind `link`. */
  followed: FollowedLink[]
  last: boolean
}

/** What can be told of children of a sorted folder before they are looked at, as it travels between threads. */
export interface HeadColumns {
  /** See `NameTable.toUnits`. */
  names: Uint16Array<ArrayBuffer>
  kinds: Uint8Array<ArrayBuffer>
  followed: FollowedLink[]
}

/** What is told of the children of a sorted folder first; see `SortedFolder`. */
export interface Census<H> {
  heads: H
  counted: SortedFolder['counted']
}

/** A batch; the first one of a sorted folder brings a census. */
export interface Batch {
  columns: Columns
  census?: Census<HeadColumns> | undefined
}

/** The order in which a folder is wanted, and whether each child is to be among the heads. */
export interface Wanted {
  sorting: Sorting
  each: boolean
}

/** Names found in a tree, of so many looked at since the search began. */
export interface SeekBatch {
  found: FoundNames
  met: number
}

/**
 * What the main thread asks of a worker: to begin a folder, in an order or none, or a search in a tree; the next batch of
 * it; to forget it.
 */
export type Ask = { id: number; folder?: FolderToRead; wanted?: Wanted | undefined; tree?: TreeToSeek; forget?: true }

/** What a worker answers to each `Ask` but a `forget`. */
export type Answer = { id: number } & (Batch | SeekBatch | { errno: string })

export interface Row {
  name: string
  facts: PlainFacts
  marks: Marks
  /** Only for links that were followed. */
  followed: Omit<FollowedLink, 'index'> | undefined
}

export const KINDS = ['file', 'folder', 'link', 'special'] as const
const WIDTH = 4
const MARKS = 5
/** Entries that are made in one go. */
const YOUNG = 100
/** Code units of heads that are made in one go: of some thousand names. */
const SLICE = 32_768

export function toColumns(rows: readonly Row[], last: boolean): Columns {
  const numbers = new Float64Array(rows.length * WIDTH)
  const marks = new BigInt64Array(rows.length * MARKS)
  const followed: FollowedLink[] = []
  for (const [index, { facts, marks: from, followed: link }] of rows.entries()) {
    const at = index * WIDTH
    numbers[at] = facts.size
    numbers[at + 1] = facts.modified
    numbers[at + 2] = facts.mode
    numbers[at + 3] = KINDS.indexOf(facts.kind)
    const mark = index * MARKS
    marks[mark] = from.ino
    marks[mark + 1] = from.birthtimeNs
    marks[mark + 2] = from.size
    marks[mark + 3] = from.mtimeNs
    marks[mark + 4] = from.ctimeNs
    if (link) followed.push({ index, ...link })
  }
  return {
    names: rows.map(row => row.name).join(SEPARATOR),
    numbers,
    marks,
    followed,
    last,
  }
}

/**
 * The heads of a folder asked for as `path` that really is `canonical`, slice by slice. With the last one the memory of the
 * columns is given back.
 */
export function* toHeads(
  { names, kinds, followed }: HeadColumns,
  path: FilePath,
  canonical: FilePath,
): Generator<Head[]> {
  const targets = new Map(followed.map(link => [link.index, link.canonical]))
  let index = 0
  for (let from = 0; from < names.length; ) {
    const end = names.indexOf(0, from + SLICE) + 1 || names.length
    yield namesIn(names.subarray(from, end)).map((name): Head => {
      const place = placeOf(name, path, canonical)
      const kind = KINDS[kinds[index] ?? 0] ?? 'special'
      return { ...place, canonical: targets.get(index++) ?? place.canonical, kind }
    })
    from = end
  }
  names.buffer.transfer(0)
}

type Place = Pick<Entry, 'name' | 'path' | 'canonical'>

function placeOf(name: string, folder: FilePath, canonical: FilePath): Place {
  const path = trustedChild(folder, name)
  return { name, path, canonical: folder === canonical ? path : trustedChild(canonical, name) }
}

/** A child of a listed folder. Few are asked for what tells them from others, so that is made then. */
class ListedEntry implements Entry {
  readonly name: string
  readonly path: FilePath
  readonly canonical: FilePath
  readonly kind: Entry['kind']
  readonly isLink: boolean
  readonly size: number
  readonly modified: number
  readonly mode: number
  readonly #marks: BigInt64Array
  readonly #at: number

  /** @param index of the entry in the columns @param link if it is one that was followed */
  constructor({ numbers, marks }: Columns, index: number, place: Place, link: FollowedLink | undefined) {
    const at = index * WIDTH
    this.name = place.name
    this.path = place.path
    this.canonical = link?.canonical ?? place.canonical
    this.kind = KINDS[numbers[at + 3] ?? 0] ?? 'special'
    this.isLink = this.kind === 'link' || link !== undefined
    this.size = numbers[at] ?? 0
    this.modified = numbers[at + 1] ?? 0
    this.mode = numbers[at + 2] ?? 0
    this.#marks = marks
    this.#at = index * MARKS
  }

  get version(): string {
    return versionOf(this.#ofStat)
  }

  get identity(): string {
    return identityOf(this.#ofStat)
  }

  get #ofStat(): Marks {
    const mark = (offset: number) => this.#marks[this.#at + offset] ?? 0n
    return { ino: mark(0), birthtimeNs: mark(1), size: mark(2), mtimeNs: mark(3), ctimeNs: mark(4) }
  }
}

/**
 * The entries of a batch, as children of a folder asked for as `path` that really is `canonical`: some at a time, so that
 * those of whoever takes long over each are done with while they are young.
 */
export function* toEntries(columns: Columns, path: FilePath, canonical: FilePath): Generator<Entry[]> {
  if (columns.numbers.length === 0) return
  const names = columns.names.split(SEPARATOR)
  const links = new Map(columns.followed.map(link => [link.index, link]))
  for (let from = 0; from < names.length; from += YOUNG) {
    yield names.slice(from, from + YOUNG).map((name, offset): Entry => {
      const index = from + offset
      return new ListedEntry(columns, index, placeOf(name, path, canonical), links.get(index))
    })
  }
}

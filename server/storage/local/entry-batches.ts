import { type FilePath, trustedChild } from '../../../shared/path.ts'
import type { Sorting } from '../../../shared/sorting.ts'
import type { Entry, Head, SortedFolder } from '../driver.ts'
import type { HitBatch } from '../found-names.ts'
import type { Confinement } from './handle.ts'
import { MARK_WORDS, type Statx } from './kernel/statx.ts'
import { namesIn, SEPARATOR } from './name-table.ts'
import { identityOf, type Marks, MODE, millisecondsOf, type PlainFacts, versionOf } from './stat-fields.ts'

/** A folder to be read by a worker thread. Descriptors are shared by all threads of the process. */
export interface FolderToRead {
  at: string
  /** Where direct system calls are to describe its children. */
  descriptor: number | undefined
  root: string
  level: Confinement
  followsOut: boolean
  /** Names to skip: mount points of disks that do not respond. */
  silent: readonly string[]
}

/** A followed link, by its index in the batch. */
export interface FollowedLink {
  index: number
  /** `undefined` for a target outside of the root, which counts as lying at the link. */
  canonical: FilePath | undefined
}

/**
 * A batch of entries in the form that is sent between threads: a long string and two numeric arrays cost a fraction of
 * thousands of objects. Names cannot contain NUL.
 */
export interface Columns {
  names: string
  /** `size, modified, mode, kind` of each entry. */
  numbers: Float64Array<ArrayBuffer>
  /** `ino, birthtimeNs, size, mtimeNs, ctimeNs` of each entry. */
  marks: BigInt64Array<ArrayBuffer>
  /** Links that were followed. Others have the kind `link`. */
  followed: FollowedLink[]
}

/** The heads of a sorted folder's children, in the form that is sent between threads. */
export interface HeadColumns {
  /** See `NameTable.toUnits`. */
  names: Uint16Array<ArrayBuffer>
  kinds: Uint8Array<ArrayBuffer>
  followed: FollowedLink[]
}

/** The first data of a sorted folder's children; see `SortedFolder`. */
export interface Census<H> {
  heads: H
  counted: SortedFolder['counted']
}

/** A batch of entries; the first one of a sorted folder includes a census. */
export interface Batch {
  columns: Columns
  census?: Census<HeadColumns> | undefined
}

/** The requested order of a folder, and whether every child needs a head. */
export interface Wanted {
  sorting: Sorting
  each: boolean
}

/** Matching names in a tree, and the number of names scanned since the search began. */
export interface ScanBatch {
  found: HitBatch
  met: number
}

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
/** Entries made per slice. */
const ENTRIES_AT_ONCE = 100
/** UTF-16 code units of heads made per slice: some thousand names. */
const SLICE = 32_768

/** Columns that are filled row by row. */
export class ColumnsBuilder {
  readonly #names: string[] = []
  readonly #numbers: Float64Array<ArrayBuffer>
  readonly #marks: BigInt64Array<ArrayBuffer>
  readonly #words: Uint32Array<ArrayBuffer>
  readonly #followed: FollowedLink[] = []

  /** @param most the largest number of rows */
  constructor(most: number) {
    this.#numbers = new Float64Array(most * WIDTH)
    this.#marks = new BigInt64Array(most * MARKS)
    this.#words = new Uint32Array(this.#marks.buffer)
  }

  add({ name, facts, marks, followed }: Row): void {
    const at = this.#names.length * MARKS
    this.#marks[at] = marks.ino
    this.#marks[at + 1] = marks.birthtimeNs
    this.#marks[at + 2] = marks.size
    this.#marks[at + 3] = marks.mtimeNs
    this.#marks[at + 4] = marks.ctimeNs
    if (followed) this.#followed.push({ index: this.#names.length, ...followed })
    this.#addFacts(name, facts.kind, facts.size, facts.modified, facts.mode)
  }

  /** Adds a child that is no link, from what the kernel wrote. */
  addStatx(name: string, kind: Entry['kind'], statx: Statx): void {
    statx.writeMarks(this.#words, this.#names.length * MARK_WORDS)
    this.#addFacts(name, kind, statx.bytes, millisecondsOf(statx.modifiedNs), statx.mode & MODE)
  }

  #addFacts(name: string, kind: Entry['kind'], size: number, modified: number, mode: number): void {
    const at = this.#names.length * WIDTH
    this.#numbers[at] = size
    this.#numbers[at + 1] = modified
    this.#numbers[at + 2] = mode
    this.#numbers[at + 3] = KINDS.indexOf(kind)
    this.#names.push(name)
  }

  done(): Columns {
    const count = this.#names.length
    const isFull = this.#numbers.length === count * WIDTH
    return {
      names: this.#names.join(SEPARATOR),
      numbers: isFull ? this.#numbers : this.#numbers.slice(0, count * WIDTH),
      marks: isFull ? this.#marks : this.#marks.slice(0, count * MARKS),
      followed: this.#followed,
    }
  }
}

/**
 * The heads of a folder requested as `path` whose canonical path is `canonical`, slice by slice. The memory of the
 * columns is released with the last slice.
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

/** A child of a listed folder. `version` and `identity` are rarely read, so they are computed on access. */
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

  /** @param index of the entry in the columns @param link if it was followed */
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

export const namesOf = ({ names, numbers }: Columns): string[] => (numbers.length === 0 ? [] : names.split(SEPARATOR))

export const kindsOf = ({ numbers }: Columns): Entry['kind'][] =>
  Array.from({ length: numbers.length / WIDTH }, (_, index) => KINDS[numbers[index * WIDTH + 3] ?? 0] ?? 'special')

/**
 * The entries of a batch, as children of a folder requested as `path` whose canonical path is `canonical`: in small
 * slices, so that a slow consumer's entries are collected while they are young.
 */
export function* toEntries(columns: Columns, path: FilePath, canonical: FilePath): Generator<Entry[]> {
  const names = namesOf(columns)
  const links = new Map(columns.followed.map(link => [link.index, link]))
  for (let from = 0; from < names.length; from += ENTRIES_AT_ONCE) {
    yield names.slice(from, from + ENTRIES_AT_ONCE).map((name, offset): Entry => {
      const index = from + offset
      return new ListedEntry(columns, index, placeOf(name, path, canonical), links.get(index))
    })
  }
}

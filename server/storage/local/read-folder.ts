import { accessSync, type BigIntStats, closeSync, constants, lstatSync, openSync } from 'node:fs'
import type { FilePath } from '../../../shared/path.ts'
import { sortItems } from '../../../shared/sorting.ts'
import { Children } from './children.ts'
import {
  type Batch,
  type Census,
  type Columns,
  ColumnsBuilder,
  type FolderToRead,
  type HeadColumns,
  type Row,
  type Wanted,
} from './entry-batches.ts'
import { errnoOf } from './errno.ts'
import { below, holdSync } from './handle.ts'
import type { VisitChild } from './kernel/dirents.ts'
import type { Kernel } from './kernel/kernel.ts'
import { Statx } from './kernel/statx.ts'
import { orderOf, plainOrderOf } from './name-order.ts'
import { NameTable } from './name-table.ts'
import { childrenSync, nativePath } from './native-path.ts'
import { pathInside } from './resolve-path.ts'
import { kindIn, plainFactsIn, plainFactsOf } from './stat-fields.ts'

/** Entries per batch: some milliseconds of work for a thread, a fraction of one on the main thread. */
const BATCH = 1000

/** Entries of the first batch when a sorted folder takes several: more than a screen shows. */
const FIRST_BATCH = 200

/** How a thread reads folders. */
export interface Means {
  /** Its direct system calls, where they are used. */
  calls: Kernel | undefined
  /** False on a thread that must not wait: the target of a link may lie on another disk. */
  followsLinks: boolean
}

/** Thrown where a folder has a link and links are not followed. */
export const HAS_LINK = Symbol('has a link')

/** A folder as it is read. */
interface Reader extends Means {
  folder: FolderToRead
}

interface Reading {
  /** The number of entries, and the columns of some of them. */
  count: number
  columns(from: number, to: number): Columns
  census?: Census<HeadColumns>
  free?(): void
}

/**
 * Reads a folder with synchronous calls, a batch at a time; sorted if an order is given. Throws system errors, and
 * `HAS_LINK`.
 */
export function* readFolder(folder: FolderToRead, wanted: Wanted | undefined, means: Means): Generator<Batch, Batch> {
  const { count, columns, census, free } = begin({ ...means, folder }, wanted)
  const most = census && count > BATCH ? FIRST_BATCH : BATCH
  try {
    let end = Math.min(most, count)
    let batch: Batch = { columns: columns(0, end), census }
    while (end < count) {
      yield batch
      const start = end
      end = Math.min(start + BATCH, count)
      batch = { columns: columns(start, end) }
    }
    return batch
  } finally {
    free?.()
  }
}

function begin(reader: Reader, wanted: Wanted | undefined): Reading {
  if (wanted) return wanted.sorting.by === 'name' ? sortedByName(reader, wanted) : sortedByFacts(reader, wanted)
  const names = new NameTable()
  eachChild(reader, name => names.add(name))
  return readingOf(reader, names, plainOrderOf(names))
}

function eachChild({ folder, calls }: Reader, visit: VisitChild): void {
  const visitHeard: VisitChild =
    folder.silent.length === 0 ? visit : (name, kind) => void (folder.silent.includes(name) || visit(name, kind))
  if (calls && folder.descriptor !== undefined) return eachChildOf(folder, calls, visitHeard)
  for (const { name, is } of childrenSync(folder.at))
    visitHeard(name, is.isFile() ? 'file' : is.isDirectory() ? 'folder' : undefined)
}

function eachChildOf({ at }: FolderToRead, calls: Kernel, visit: VisitChild): void {
  const open = openSync(at, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    calls.eachChild(open, visit)
  } finally {
    closeSync(open)
  }
}

/** Children that were not stat'ed for sorting are stat'ed batch by batch. */
function readingOf(reader: Reader, names: NameTable, order: Uint32Array): Reading {
  return {
    count: names.count,
    columns: (from, to) => columnsOf(reader, names.at(order.subarray(from, to))),
    free: () => names.free(),
  }
}

function sortedByName(reader: Reader, { sorting, each }: Wanted): Reading {
  const children = childrenIn(reader, each)
  const order = orderOf(children.names, index => children.isFolder(index), sorting)
  return { ...readingOf(reader, children.names, order), census: children.census() }
}

function sortedByFacts(reader: Reader, { sorting, each }: Wanted): Reading {
  const known: (ReturnType<typeof sortable> & { row: Row; name: string })[] = []
  eachChild(reader, name => {
    const row = rowOf(reader, name)
    if (row) known.push({ row, name, ...sortable(row) })
  })
  const rows = sortItems(known, sorting).map(({ row }) => row)
  return {
    count: rows.length,
    columns: (from, to) => columnsWith(rows.slice(from, to)),
    census: censusOf(rows, each),
  }
}

function columnsWith(rows: readonly Row[]): Columns {
  const builder = new ColumnsBuilder(rows.length)
  for (const row of rows) builder.add(row)
  return builder.done()
}

function censusOf(rows: readonly Row[], each: boolean): Census<HeadColumns> {
  const children = new Children(each)
  for (const { name, facts, followed } of rows) children.add(name, facts.kind, followed)
  return children.census()
}

/** The API sends milliseconds, so clients sort by those. */
const sortable = ({ facts: { size, modified, kind } }: Row) => ({
  size,
  modified: Math.floor(modified),
  isDir: kind === 'folder',
})

function childrenIn(reader: Reader, each: boolean): Children {
  const children = new Children(each)
  eachChild(reader, (name, kind) => {
    if (kind === 'file' || kind === 'folder') return children.add(name, kind)
    const row = rowOf(reader, name)
    if (row) children.add(name, row.facts.kind, row.followed)
  })
  return children
}

function columnsOf(reader: Reader, names: readonly string[]): Columns {
  const builder = new ColumnsBuilder(names.length)
  for (const name of names) addChild(reader, name, builder)
  return builder.done()
}

/** Without an object for each child that is no link. */
function addChild(reader: Reader, name: string, builder: ColumnsBuilder): void {
  const own = ownOf(reader, name)
  if (own instanceof Statx && kindIn(own) !== 'link') return builder.addStatx(name, kindIn(own), own)
  const row = own && rowFrom(reader, name, own)
  if (row) builder.add(row)
}

function rowOf(reader: Reader, name: string): Row | undefined {
  const own = ownOf(reader, name)
  return own && rowFrom(reader, name, own)
}

/** A child itself, also a link; `undefined` where it has vanished. Valid until the next one. */
function ownOf({ folder, calls }: Reader, name: string): Statx | BigIntStats | undefined {
  try {
    return calls && folder.descriptor !== undefined
      ? calls.statAt(folder.descriptor, name)
      : lstatSync(below(folder, name), { bigint: true, throwIfNoEntry: false })
  } catch (thrown) {
    // A folder that may be read but not entered would otherwise look empty.
    if (errnoOf(thrown) === 'EACCES') accessSync(nativePath(folder.at), constants.X_OK)
    return undefined
  }
}

function rowFrom(reader: Reader, name: string, own: Statx | BigIntStats): Row {
  const { ino, birthtimeNs, size, mtimeNs, ctimeNs } = own
  const marks = { ino, birthtimeNs, size, mtimeNs, ctimeNs }
  const facts = own instanceof Statx ? plainFactsIn(own) : plainFactsOf(own)
  const target = facts.kind === 'link' ? follow(reader, name) : undefined
  if (!target) return { name, marks, facts, followed: undefined }
  const { stat, canonical } = target
  return { name, marks: stat, facts: plainFactsOf(stat), followed: { canonical } }
}

/** The target of a link, if it may be followed. */
function follow(
  { folder, followsLinks }: Reader,
  name: string,
): { stat: BigIntStats; canonical: FilePath | undefined } | undefined {
  if (!followsLinks) throw HAS_LINK
  const { level, root, followsOut } = folder
  try {
    const handle = holdSync(level, below(folder, name))
    handle.close()
    const canonical = pathInside(root, handle.real)
    return canonical || followsOut ? { stat: handle.stat, canonical } : undefined
  } catch {
    return undefined
  }
}

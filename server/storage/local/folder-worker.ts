import { accessSync, type BigIntStats, constants, lstatSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { FilePath } from '../../../shared/path.ts'
import { sortItems } from '../../../shared/sorting.ts'
import { givesBackAtRest } from '../../worker-memory.ts'
import type { HitBatch } from '../names/messages.ts'
import { Search } from '../names/result-batches.ts'
import { Children } from './children.ts'
import {
  type Batch,
  type Census,
  type FolderToRead,
  type HeadColumns,
  type Row,
  toColumns,
  type Wanted,
  type WorkerRequest,
  type WorkerResponse,
} from './entry-batches.ts'
import { errnoOf } from './errno.ts'
import { below, holdSync } from './handle.ts'
import { orderOf, plainOrderOf } from './name-order.ts'
import { NameTable } from './name-table.ts'
import { childrenSync, type NativePath, nativePath, readNamesSync } from './native-path.ts'
import { pathInside } from './resolve-path.ts'
import { seekTree, type TreeSeek, type TreeToSeek } from './seek-tree.ts'
import { plainFactsOf } from './stat-fields.ts'

/**
 * Reads folders with synchronous calls, several times as fast as asynchronous ones, on a worker thread. The main thread
 * requests one batch at a time, and holds the folder open until the last response.
 */

/** Entries per batch: some milliseconds of work here, a fraction of one on the main thread. */
const BATCH = 1000

/** Entries of the first batch when a sorted folder takes several: more than a screen shows. */
const FIRST_BATCH = 200

interface Reading {
  /** The number of entries, and the rows of some of them. */
  count: number
  rows(from: number, to: number): Row[]
  census?: Census<HeadColumns> | undefined
  next: number
  free?(): void
}

/** Milliseconds after which a search without matches reports an empty batch: the caller may have lost interest. */
const REPORT = 100

const readings = new Map<number, Reading>()
const seeks = new Map<number, { search: Search; seek: TreeSeek }>()
const hasWork = givesBackAtRest()

parentPort?.on('message', (request: WorkerRequest) => {
  hasWork()
  if (request.forget) return forget(request.id)
  if (request.tree) begun(request.id, request.tree)
  if (seeks.has(request.id)) return seekOn(request.id)
  const response = respond(request)
  if (!('columns' in response)) return parentPort?.postMessage(response)
  const { heads } = response.census ?? {}
  const transferred = heads ? [heads.kinds.buffer, heads.names.buffer] : []
  parentPort?.postMessage(response, [response.columns.numbers.buffer, response.columns.marks.buffer, ...transferred])
})

function respond({ id, folder, wanted }: WorkerRequest): WorkerResponse {
  try {
    const reading = readings.get(id) ?? (folder && begin(folder, wanted))
    if (!reading) throw new Error('unknown reading')
    readings.set(id, reading)
    const batch = nextBatch(reading)
    if (batch.columns.last) forget(id)
    return { id, ...batch }
  } catch (thrown) {
    forget(id)
    return { id, errno: errnoOf(thrown) }
  }
}

function begun(id: number, tree: TreeToSeek): void {
  const seek = seekTree(tree)
  seeks.set(id, { seek, search: new Search(seek.found) })
}

/** Searches until there is a batch to report. Other requests are served between slices. */
function seekOn(id: number, since = performance.now()): void {
  const found = seeks.get(id)
  if (!found) return
  const { search, seek } = found
  const batch = search.next() ?? (performance.now() - since > REPORT ? NOTHING : undefined)
  if (!batch) return void setImmediate(seekOn, id, since)
  if (batch.last) forget(id)
  search.resume()
  parentPort?.postMessage({ id, found: batch, met: seek.met } satisfies WorkerResponse)
}

const NOTHING: HitBatch = { paths: '', facts: new Float64Array(), disks: new Float64Array(), last: false }

function forget(id: number): void {
  readings.get(id)?.free?.()
  readings.delete(id)
  seeks.delete(id)
}

function begin(folder: FolderToRead, wanted: Wanted | undefined): Reading {
  if (wanted) return wanted.sorting.by === 'name' ? sortedByName(folder, wanted) : sortedByFacts(folder, wanted)
  const names = namesIn(folder)
  return readingOf(folder, names, plainOrderOf(names))
}

/** Children that were not stat'ed for sorting are stat'ed batch by batch. */
function readingOf(folder: FolderToRead, names: NameTable, order: Uint32Array): Reading {
  return {
    count: names.count,
    next: 0,
    rows: (from, to) => rowsOf(folder, names.at(order.subarray(from, to))),
    free: () => names.free(),
  }
}

function namesIn(folder: FolderToRead): NameTable {
  const names = new NameTable()
  for (const { name } of childrenSync(folder.at)) if (!folder.silent.includes(name)) names.add(name)
  return names
}

function sortedByName(folder: FolderToRead, { sorting, each }: Wanted): Reading {
  const children = childrenIn(folder, each)
  const order = orderOf(children.names, index => children.isFolder(index), sorting)
  return { ...readingOf(folder, children.names, order), census: children.census() }
}

function sortedByFacts(folder: FolderToRead, { sorting, each }: Wanted): Reading {
  const names = readNamesSync(folder.at).filter(name => !folder.silent.includes(name))
  const known = rowsOf(folder, names).map(row => ({ row, name: row.name, ...sortable(row) }))
  const rows = sortItems(known, sorting).map(({ row }) => row)
  return {
    count: rows.length,
    next: 0,
    rows: (from, to) => rows.slice(from, to),
    census: censusOf(rows, each),
  }
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

function childrenIn(folder: FolderToRead, each: boolean): Children {
  const children = new Children(each)
  for (const { name, is } of childrenSync(folder.at)) {
    if (folder.silent.includes(name)) continue
    if (is.isFile()) children.add(name, 'file')
    else if (is.isDirectory()) children.add(name, 'folder')
    else {
      const row = rowOf(folder, name)
      if (row) children.add(name, row.facts.kind, row.followed)
    }
  }
  return children
}

function nextBatch(reading: Reading): Batch {
  const { next, census, count } = reading
  const end = Math.min(next + (census && count > BATCH ? FIRST_BATCH : BATCH), count)
  const rows = reading.rows(next, end)
  reading.next = end
  reading.census = undefined
  return { columns: toColumns(rows, end === count), census }
}

function rowsOf(folder: FolderToRead, names: readonly string[]): Row[] {
  const rows: Row[] = []
  for (const name of names) {
    const row = rowOf(folder, name)
    if (row) rows.push(row)
  }
  return rows
}

function rowOf(folder: FolderToRead, name: string): Row | undefined {
  const at = below(folder, name)
  try {
    const stat = lstatSync(at, { bigint: true, throwIfNoEntry: false })
    if (!stat) return undefined
    const target = stat.isSymbolicLink() ? follow(folder, at) : undefined
    const marks = target?.stat ?? stat
    return { name, marks, facts: plainFactsOf(marks), followed: target && { canonical: target.canonical } }
  } catch (thrown) {
    // A folder that may be read but not entered would otherwise look empty.
    if (errnoOf(thrown) === 'EACCES') accessSync(nativePath(folder.at), constants.X_OK)
    return undefined
  }
}

/** The target of a link, if it may be followed. */
function follow(
  { level, root, followsOut }: FolderToRead,
  at: NativePath,
): { stat: BigIntStats; canonical: FilePath | undefined } | undefined {
  try {
    const handle = holdSync(level, at)
    handle.close()
    const canonical = pathInside(root, handle.real)
    return canonical || followsOut ? { stat: handle.stat, canonical } : undefined
  } catch {
    return undefined
  }
}

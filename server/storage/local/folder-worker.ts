import { accessSync, type BigIntStats, constants, lstatSync } from 'node:fs'
import { promisify } from 'node:util'
import type { FilePath } from '../../../shared/path.ts'
import { sortItems } from '../../../shared/sorting.ts'
import { serveCalls, transferring } from '../../lib/worker-serve.ts'
import type { HitBatch } from '../found-names.ts'
import { HitBatches } from '../hit-batches.ts'
import { Children } from './children.ts'
import {
  type Batch,
  type Census,
  type FolderToRead,
  type HeadColumns,
  type Row,
  type ScanBatch,
  toColumns,
  type Wanted,
} from './entry-batches.ts'
import { errnoOf } from './errno.ts'
import { below, holdSync } from './handle.ts'
import { bindKernel } from './kernel/kernel.ts'
import { orderOf, plainOrderOf } from './name-order.ts'
import { NameTable } from './name-table.ts'
import { childrenSync, type NativePath, nativePath, readNamesSync } from './native-path.ts'
import { pathInside } from './resolve-path.ts'
import { scanTree, type TreeToScan } from './scan-tree.ts'
import { plainFactsIn, plainFactsOf } from './stat-fields.ts'

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
  census?: Census<HeadColumns>
  free?(): void
}

/** Milliseconds after which a search without matches reports an empty batch: the caller may have lost interest. */
const REPORT = 100

const NOTHING: HitBatch = { paths: '', facts: new Float64Array(), disks: new Float64Array(), last: false }

const nextTurn = promisify(setImmediate)

export type FolderCalls = typeof CALLS

const CALLS = {
  *read({ folder, wanted }: { folder: FolderToRead; wanted: Wanted | undefined }): Generator<Batch, Batch> {
    const reading = begin(folder, wanted)
    const most = reading.census && reading.count > BATCH ? FIRST_BATCH : BATCH
    try {
      let end = Math.min(most, reading.count)
      let batch = batchOf(reading, 0, end)
      while (end < reading.count) {
        yield batch
        const start = end
        end = Math.min(start + BATCH, reading.count)
        batch = batchOf({ rows: reading.rows }, start, end)
      }
      return batch
    } finally {
      reading.free?.()
    }
  },

  /** Other calls are served between slices. */
  async *search(tree: TreeToScan): AsyncGenerator<ScanBatch, ScanBatch> {
    const scan = scanTree(tree)
    const batches = new HitBatches()
    for (let since = performance.now(); ; ) {
      const found = (await batches.next(scan.found)) ?? (performance.now() - since > REPORT ? NOTHING : undefined)
      if (!found) {
        await nextTurn()
        continue
      }
      if (found.last) return { found, met: scan.met }
      yield { found, met: scan.met }
      since = performance.now()
      batches.resume()
    }
  },
}

serveCalls(CALLS)

/** The rows from one index to before another, with the census before the first ones. */
function batchOf({ rows, census }: Pick<Reading, 'rows' | 'census'>, from: number, to: number): Batch {
  const columns = toColumns(rows(from, to))
  const heads = census ? [census.heads.kinds.buffer, census.heads.names.buffer] : []
  return transferring({ columns, census }, [columns.numbers.buffer, columns.marks.buffer, ...heads])
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

function rowsOf(folder: FolderToRead, names: readonly string[]): Row[] {
  const rows: Row[] = []
  for (const name of names) {
    const row = rowOf(folder, name)
    if (row) rows.push(row)
  }
  return rows
}

function rowOf(folder: FolderToRead, name: string): Row | undefined {
  try {
    const { marks, facts } = statIn(folder, name) ?? {}
    if (!marks || !facts) return undefined
    const target = facts.kind === 'link' ? follow(folder, below(folder, name)) : undefined
    if (!target) return { name, marks, facts, followed: undefined }
    return {
      name,
      marks: target.stat,
      facts: plainFactsOf(target.stat),
      followed: { canonical: target.canonical },
    }
  } catch (thrown) {
    // A folder that may be read but not entered would otherwise look empty.
    if (errnoOf(thrown) === 'EACCES') accessSync(nativePath(folder.at), constants.X_OK)
    return undefined
  }
}

/** A child itself, also a link. */
function statIn({ at, descriptor }: FolderToRead, name: string): Pick<Row, 'marks' | 'facts'> | undefined {
  const calls = descriptor === undefined ? undefined : kernel()
  if (calls && descriptor !== undefined) {
    const marks = calls.statAt(descriptor, name)
    return marks && { marks, facts: plainFactsIn(marks) }
  }
  const marks = lstatSync(below({ at }, name), { bigint: true, throwIfNoEntry: false })
  return marks && { marks, facts: plainFactsOf(marks) }
}

let bound: ReturnType<typeof bindKernel>

/** The system calls of this thread; the main thread has tested them. */
function kernel(): ReturnType<typeof bindKernel> {
  bound ??= bindKernel()
  return bound
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

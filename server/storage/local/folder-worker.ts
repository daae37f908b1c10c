import { type BigIntStats, lstatSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { FilePath } from '../../../shared/path.ts'
import { type Sorting, sortItems } from '../../../shared/sorting.ts'
import {
  type Answer,
  type Ask,
  type Batch,
  type FolderToRead,
  type HeadColumns,
  type HeadRow,
  type Row,
  toColumns,
  toHeadColumns,
} from './columns.ts'
import { errnoOf } from './errno.ts'
import { factsOf } from './facts.ts'
import { below, holdSync } from './handle.ts'
import { type NativePath, readChildrenSync, readNamesSync } from './native.ts'
import { pathInside } from './scope.ts'

/*
 * Reads folders with synchronous calls, several times as fast as asynchronous ones, on a thread that may wait. The main
 * thread asks for one batch after the other; it holds the folder open until the last answer has come.
 */

/** Entries per batch: some milliseconds of work here, a fraction of one on the main thread. */
const BATCH = 1000

/** Entries of the first batch of a sorted folder: more than a screen shows. */
const FIRST_BATCH = 200

interface Reading {
  /** How many there are; the rows of some of them. */
  count: number
  rows(from: number, to: number): Row[]
  heads?: HeadColumns | undefined
  next: number
}

const readings = new Map<number, Reading>()

parentPort?.on('message', (ask: Ask) => {
  if (ask.forget) {
    readings.delete(ask.id)
    return
  }
  const answer = answerTo(ask)
  if (!('columns' in answer)) return parentPort?.postMessage(answer)
  const heads = answer.heads ? [answer.heads.kinds.buffer] : []
  parentPort?.postMessage(answer, [answer.columns.numbers.buffer, ...heads])
})

function answerTo({ id, folder, sorting }: Ask): Answer {
  try {
    const reading = readings.get(id) ?? (folder && begin(folder, sorting))
    if (!reading) throw new Error('no such reading')
    readings.set(id, reading)
    const batch = nextBatch(reading)
    if (batch.columns.last) readings.delete(id)
    return { id, ...batch }
  } catch (thrown) {
    readings.delete(id)
    return { id, errno: errnoOf(thrown) }
  }
}

function begin(folder: FolderToRead, sorting: Sorting | undefined): Reading {
  const names = readNamesSync(folder.at).filter(name => !folder.silent.includes(name))
  if (!sorting) return ofNames(folder, names.sort())
  return sorting.by === 'name' ? sortedByName(folder, sorting) : sortedByFacts(folder, names, sorting)
}

function ofNames(folder: FolderToRead, names: readonly string[]): Reading {
  return { count: names.length, next: 0, rows: (from, to) => rowsOf(folder, names.slice(from, to)) }
}

/** What was not looked at closely is looked at when its turn comes. */
function sortedByName(folder: FolderToRead, sorting: Sorting): Reading {
  const known = headRowsOf(folder).map(row => ({ ...row, size: 0, modified: 0, isDir: row.kind === 'folder' }))
  const rows = sortItems(known, sorting)
  const names = rows.map(row => row.name)
  return { ...ofNames(folder, names), heads: toHeadColumns(rows) }
}

function sortedByFacts(folder: FolderToRead, names: readonly string[], sorting: Sorting): Reading {
  const known = rowsOf(folder, names).map(row => ({ row, name: row.name, ...sortable(row) }))
  const rows = sortItems(known, sorting).map(({ row }) => row)
  return {
    count: rows.length,
    next: 0,
    rows: (from, to) => rows.slice(from, to),
    heads: toHeadColumns(rows.map(({ name, facts, followed }) => ({ name, kind: facts.kind, followed }))),
  }
}

/** The wire tells milliseconds, so that is what its readers sort by. */
const sortable = ({ facts: { size, modified, kind } }: Row) => ({
  size,
  modified: Math.floor(modified),
  isDir: kind === 'folder',
})

function headRowsOf(folder: FolderToRead): HeadRow[] {
  const rows: HeadRow[] = []
  for (const { name, is } of readChildrenSync(folder.at)) {
    if (folder.silent.includes(name)) continue
    if (is.isFile()) rows.push({ name, kind: 'file', followed: undefined })
    else if (is.isDirectory()) rows.push({ name, kind: 'folder', followed: undefined })
    else {
      const row = rowOf(folder, name)
      if (row) rows.push({ name, kind: row.facts.kind, followed: row.followed })
    }
  }
  return rows
}

function nextBatch(reading: Reading): Batch {
  const { next, heads, count } = reading
  const end = Math.min(next + (heads ? FIRST_BATCH : BATCH), count)
  const rows = reading.rows(next, end)
  reading.next = end
  reading.heads = undefined
  return { columns: toColumns(rows, end === count), heads }
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
    return { name, facts: factsOf(target?.stat ?? stat), followed: target && { canonical: target.canonical } }
  } catch {
    return undefined
  }
}

/** What a link leads to, if it may be followed. */
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

import { type BigIntStats, lstatSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { FilePath } from '../../../shared/path.ts'
import { orderOfNames, type Sorting, sortItems } from '../../../shared/sorting.ts'
import type { Entry } from '../driver.ts'
import {
  type Answer,
  type Ask,
  type Batch,
  type FolderToRead,
  type HeadColumns,
  type Heads,
  type Row,
  toColumns,
  toHeadColumns,
} from './columns.ts'
import { errnoOf } from './errno.ts'
import { factsOf } from './facts.ts'
import { below, holdSync } from './handle.ts'
import { childrenSync, type NativePath, readNamesSync } from './native.ts'
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
  if (sorting?.by === 'name') return sortedByName(folder, sorting)
  const names = readNamesSync(folder.at).filter(name => !folder.silent.includes(name))
  return sorting ? sortedByFacts(folder, names, sorting) : ofNames(folder, names.sort())
}

function ofNames(folder: FolderToRead, names: readonly string[]): Reading {
  return { count: names.length, next: 0, rows: (from, to) => rowsOf(folder, names.slice(from, to)) }
}

/** What was not looked at closely is looked at when its turn comes. */
function sortedByName(folder: FolderToRead, sorting: Sorting): Reading {
  const known = headsOf(folder)
  const heads = inOrder(
    known,
    orderOfNames(known.names, index => known.kinds[index] === 'folder', sorting),
  )
  return { ...ofNames(folder, heads.names), heads: toHeadColumns(heads) }
}

function inOrder({ names, kinds, followed }: Heads, order: Uint32Array): Heads {
  const sorted: Heads = { names: [], kinds: [], followed: new Map() }
  for (const index of order) keep(sorted, names[index] ?? '', kinds[index] ?? 'special', followed.get(index))
  return sorted
}

function keep({ names, kinds, followed }: Heads, name: string, kind: Entry['kind'], link: Row['followed']): void {
  if (link) followed.set(names.length, link)
  names.push(name)
  kinds.push(kind)
}

function sortedByFacts(folder: FolderToRead, names: readonly string[], sorting: Sorting): Reading {
  const known = rowsOf(folder, names).map(row => ({ row, name: row.name, ...sortable(row) }))
  const rows = sortItems(known, sorting).map(({ row }) => row)
  return {
    count: rows.length,
    next: 0,
    rows: (from, to) => rows.slice(from, to),
    heads: toHeadColumns(headsIn(rows)),
  }
}

function headsIn(rows: readonly Row[]): Heads {
  const heads: Heads = { names: [], kinds: [], followed: new Map() }
  for (const { name, facts, followed } of rows) keep(heads, name, facts.kind, followed)
  return heads
}

/** The wire tells milliseconds, so that is what its readers sort by. */
const sortable = ({ facts: { size, modified, kind } }: Row) => ({
  size,
  modified: Math.floor(modified),
  isDir: kind === 'folder',
})

function headsOf(folder: FolderToRead): Heads {
  const heads: Heads = { names: [], kinds: [], followed: new Map() }
  for (const { name, is } of childrenSync(folder.at)) {
    if (folder.silent.includes(name)) continue
    if (is.isFile()) keep(heads, name, 'file', undefined)
    else if (is.isDirectory()) keep(heads, name, 'folder', undefined)
    else {
      const row = rowOf(folder, name)
      if (row) keep(heads, name, row.facts.kind, row.followed)
    }
  }
  return heads
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

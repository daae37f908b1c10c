import { type BigIntStats, lstatSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { FilePath } from '../../../shared/path.ts'
import { type Answer, type Ask, type Columns, type FolderToRead, type Row, toColumns } from './columns.ts'
import { errnoOf } from './errno.ts'
import { factsOf } from './facts.ts'
import { below, holdSync } from './handle.ts'
import { type NativePath, readNamesSync } from './native.ts'
import { pathInside } from './scope.ts'

/*
 * Reads folders with synchronous calls, several times as fast as asynchronous ones, on a thread that may wait. The main
 * thread asks for one batch after the other; it holds the folder open until the last answer has come.
 */

/** Entries per batch: some milliseconds of work here, a fraction of one on the main thread. */
const BATCH = 1000

interface Reading {
  folder: FolderToRead
  names: string[]
  next: number
}

const readings = new Map<number, Reading>()

parentPort?.on('message', (ask: Ask) => {
  if (ask.forget) {
    readings.delete(ask.id)
    return
  }
  const answer = answerTo(ask)
  parentPort?.postMessage(answer, 'columns' in answer ? [answer.columns.numbers.buffer] : [])
})

function answerTo({ id, folder }: Ask): Answer {
  try {
    const reading = readings.get(id) ?? (folder && { folder, names: namesIn(folder), next: 0 })
    if (!reading) throw new Error('no such reading')
    readings.set(id, reading)
    const columns = nextBatch(reading)
    if (columns.last) readings.delete(id)
    return { id, columns }
  } catch (thrown) {
    readings.delete(id)
    return { id, errno: errnoOf(thrown) }
  }
}

const namesIn = ({ at, silent }: FolderToRead): string[] => readNamesSync(at).filter(name => !silent.includes(name))

function nextBatch(reading: Reading): Columns {
  const end = Math.min(reading.next + BATCH, reading.names.length)
  const rows: Row[] = []
  for (const name of reading.names.slice(reading.next, end)) {
    const row = rowOf(reading.folder, name)
    if (row) rows.push(row)
  }
  reading.next = end
  return toColumns(rows, end === reading.names.length)
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

import type { BigIntStats } from 'node:fs'
import {
  type Batch,
  type Census,
  type Columns,
  ColumnsBuilder,
  type HeadColumns,
  kindsOf,
  namesOf,
  type Wanted,
} from './entry-batches.ts'
import type { Kernel } from './kernel/kernel.ts'
import type { Statx } from './kernel/statx.ts'
import { kindIn } from './stat-fields.ts'
import { stampOf } from './sync-read.ts'

/** Most entries of a folder that is remembered. */
const SMALL = 100
/** Most folders that are remembered. */
const MOST = 500
/** Milliseconds in which the kernel is taken to have a folder in memory after it was read. */
const WARM = 10_000
/** Milliseconds that a quick disk may take for all children. */
const QUICK = 5

/** The children of a folder as they were a moment ago. */
interface Remembered {
  names: readonly string[]
  kinds: readonly Kind[]
  census: Census<HeadColumns>
  /** When they were described last; see `performance.now`. */
  since: number
}

type Kind = ReturnType<typeof kindIn>

/** By stamp and order; the one used last is the last. */
const remembered = new Map<string, Remembered>()

/**
 * Describes the children of a small folder that a thread has read a moment ago, without a thread: the names are still
 * those, the kernel has all of them in memory, and looking them up takes no lock. Only for disks that answer at once.
 * @param descriptor of the folder
 * @returns `undefined` where a thread has to read the folder
 */
export function readAgain(kernel: Kernel, descriptor: number, stat: BigIntStats, wanted: Wanted): Batch | undefined {
  const key = keyOf(stat, wanted)
  const known = key === undefined ? undefined : remembered.get(key)
  if (key === undefined || !known) return undefined
  remembered.delete(key)
  const start = performance.now()
  if (start - known.since > WARM) return undefined
  const columns = columnsAgain(kernel, descriptor, known)
  const since = performance.now()
  if (columns && since - start < QUICK) remembered.set(key, { ...known, since })
  return columns && { columns, census: copyOf(known.census) }
}

/** Remembers the children of a small folder that a thread has read, by its first batch. None may be a link. */
export function remember({ columns, census }: Batch, stat: BigIntStats, wanted: Wanted): void {
  const key = keyOf(stat, wanted)
  if (key === undefined || !census) return
  const kinds = kindsOf(columns)
  const { folders, others } = census.counted
  if (kinds.length > SMALL || kinds.length < folders + others + census.heads.kinds.length) return
  if (columns.followed.length > 0 || kinds.includes('link')) return
  remembered.set(key, { names: namesOf(columns), kinds, census: copyOf(census), since: performance.now() })
  const [oldest] = remembered.keys()
  if (oldest !== undefined && remembered.size > MOST) remembered.delete(oldest)
}

/** `undefined` where the order depends on more than names, or the folder has changed just now. */
function keyOf(stat: BigIntStats, { sorting, each }: Wanted): string | undefined {
  const stamp = sorting.by === 'name' ? stampOf(stat) : ''
  return stamp === '' ? undefined : `${stamp} ${sorting.asc} ${each}`
}

function columnsAgain(kernel: Kernel, descriptor: number, { names, kinds }: Remembered): Columns | undefined {
  const builder = new ColumnsBuilder(names.length)
  for (const [index, name] of names.entries()) {
    const statx = statOf(kernel, descriptor, name)
    if (!statx || kindIn(statx) !== kinds[index]) return undefined
    builder.addStatx(name, kindIn(statx), statx)
  }
  return builder.done()
}

function statOf(kernel: Kernel, descriptor: number, name: string): Statx | undefined {
  try {
    return kernel.statAt(descriptor, name)
  } catch {
    // The thread reports it.
    return undefined
  }
}

/** Readers release the memory of heads. */
const copyOf = ({ heads, counted }: Census<HeadColumns>): Census<HeadColumns> => ({
  heads: { ...heads, names: heads.names.slice(), kinds: heads.kinds.slice() },
  counted,
})

import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { BUSY_THREAD } from '../../worker-memory.ts'
import type { Answer, Ask, Batch, FolderToRead, SeekBatch, Wanted } from './entry-batches.ts'
import { systemError } from './errno.ts'
import type { TreeToSeek } from './seek-tree.ts'

/** Threads that answer, at most; each costs some megabytes. */
const MAX_WORKERS = 4
/** Threads in all: those that a disk keeps waiting are passed over. */
const MAX_WITH_STUCK = 12
/** Milliseconds without an answer after which a thread is passed over. */
const STUCK = 5000

interface Waiter {
  resolve(batch: Batch | SeekBatch): void
  reject(reason: unknown): void
}

/** A thread, and who waits for an answer from it. */
interface Reader {
  worker: Worker
  waiting: Map<number, Waiter>
  /** When it answered last, or had nothing to answer. */
  answered: number
}

const readers: Reader[] = []
let lastId = 0

/**
 * The entries of a folder in batches, read on another thread, one batch ahead of the consumer, in an order if one is
 * given. When the iterator is done or left early, no thread uses `folder.at` any more. Throws system errors.
 */
export function readFolder(folder: FolderToRead, wanted?: Wanted): AsyncGenerator<Batch> {
  return batchesOf<Batch>({ folder, wanted }, ({ columns }) => columns.last)
}

/** Names found in a tree on disk, in the same way. Where nothing is found an empty batch comes from time to time. */
export function searchTree(tree: TreeToSeek): AsyncGenerator<SeekBatch> {
  return batchesOf<SeekBatch>({ tree }, ({ found }) => found.last)
}

async function* batchesOf<B extends Batch | SeekBatch>(
  wanted: Omit<Ask, 'id'>,
  isLast: (batch: B) => boolean,
): AsyncGenerator<B> {
  const id = ++lastId
  const reader = idleReader()
  let coming: Promise<B> | undefined = ask<B>(reader, { id, ...wanted })
  try {
    while (coming) {
      const batch: B = await coming
      coming = isLast(batch) ? undefined : ask<B>(reader, { id })
      // Left early, nobody may be waiting for this one when it fails.
      coming?.catch(() => {})
      yield batch
    }
  } finally {
    if (coming) {
      await coming.catch(() => {})
      reader.worker.postMessage({ id, forget: true } satisfies Ask)
    }
  }
}

function ask<B extends Batch | SeekBatch>(reader: Reader, question: Ask): Promise<B> {
  return new Promise<B>((resolve, reject) => {
    if (reader.waiting.size === 0) reader.answered = performance.now()
    reader.waiting.set(question.id, { resolve: batch => resolve(batch as B), reject })
    reader.worker.ref()
    reader.worker.postMessage(question)
  })
}

/** A thread that nobody waits for, a new one, or the one with the fewest waiters. @throws AppError `unavailable` */
function idleReader(): Reader {
  const answering = readers.filter(reader => !isStuck(reader))
  const [best] = answering.toSorted((a, b) => a.waiting.size - b.waiting.size)
  if (best && (best.waiting.size === 0 || answering.length >= MAX_WORKERS)) return best
  if (readers.length < MAX_WITH_STUCK) return startReader()
  if (best) return best
  throw new AppError('unavailable', 'disks do not answer')
}

const isStuck = ({ waiting, answered }: Reader) => waiting.size > 0 && performance.now() - answered > STUCK

function startReader(): Reader {
  const worker = new Worker(new URL('./folder-worker.ts', import.meta.url), BUSY_THREAD)
  const reader: Reader = { worker, waiting: new Map(), answered: 0 }
  worker.on('message', (answer: Answer) => settle(reader, answer))
  worker.on('error', cause => retire(reader, cause))
  worker.on('exit', () => retire(reader, undefined))
  worker.unref()
  readers.push(reader)
  return reader
}

function settle(reader: Reader, answer: Answer): void {
  const waiter = reader.waiting.get(answer.id)
  reader.waiting.delete(answer.id)
  reader.answered = performance.now()
  if (reader.waiting.size === 0) reader.worker.unref()
  if ('errno' in answer) waiter?.reject(systemError(answer.errno))
  else waiter?.resolve(answer)
}

/** A thread that ended, for want of memory or by a defect, must not leave anybody waiting. */
function retire(reader: Reader, cause: unknown): void {
  const at = readers.indexOf(reader)
  if (at >= 0) readers.splice(at, 1)
  for (const waiter of reader.waiting.values()) waiter.reject(new AppError('unavailable', 'unavailable', { cause }))
  reader.waiting.clear()
}

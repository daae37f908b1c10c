import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { BUSY_THREAD } from '../../worker-memory.ts'
import type { Batch, FolderToRead, SeekBatch, Wanted, WorkerRequest, WorkerResponse } from './entry-batches.ts'
import { systemError } from './errno.ts'
import type { TreeToSeek } from './seek-tree.ts'

/** Maximum number of responsive threads; each costs some megabytes. */
const MAX_WORKERS = 4
/** Maximum number of threads including those stuck on a disk. */
const MAX_WITH_STUCK = 12
/** Milliseconds without a response after which a thread counts as stuck. */
const STUCK = 5000

interface Waiter {
  resolve(batch: Batch | SeekBatch): void
  reject(reason: unknown): void
}

/** A worker thread and its pending requests. */
interface Reader {
  worker: Worker
  waiting: Map<number, Waiter>
  /** When it responded last, or was idle. */
  answered: number
}

const readers: Reader[] = []
let lastId = 0

/**
 * The entries of a folder in batches, read on a worker thread one batch ahead of the consumer, sorted if an order is
 * given. When the iterator ends or is left early, no thread uses `folder.at` any more. Throws system errors.
 */
export function readFolder(folder: FolderToRead, wanted?: Wanted): AsyncGenerator<Batch> {
  return batchesOf<Batch>({ folder, wanted }, ({ columns }) => columns.last)
}

/** Matching names in a tree on disk, read in the same way. Without matches an empty batch comes from time to time. */
export function searchTree(tree: TreeToSeek): AsyncGenerator<SeekBatch> {
  return batchesOf<SeekBatch>({ tree }, ({ found }) => found.last)
}

async function* batchesOf<B extends Batch | SeekBatch>(
  wanted: Omit<WorkerRequest, 'id'>,
  isLast: (batch: B) => boolean,
): AsyncGenerator<B> {
  const id = ++lastId
  const reader = idleReader()
  let coming: Promise<B> | undefined = request<B>(reader, { id, ...wanted })
  try {
    while (coming) {
      const batch: B = await coming
      coming = isLast(batch) ? undefined : request<B>(reader, { id })
      // After an early exit the next batch has no consumer: its failure must not be unhandled.
      coming?.catch(() => {})
      yield batch
    }
  } finally {
    if (coming) {
      await coming.catch(() => {})
      reader.worker.postMessage({ id, forget: true } satisfies WorkerRequest)
    }
  }
}

function request<B extends Batch | SeekBatch>(reader: Reader, message: WorkerRequest): Promise<B> {
  return new Promise<B>((resolve, reject) => {
    if (reader.waiting.size === 0) reader.answered = performance.now()
    reader.waiting.set(message.id, { resolve: batch => resolve(batch as B), reject })
    reader.worker.ref()
    reader.worker.postMessage(message)
  })
}

/** An idle thread, a new one, or the one with the shortest queue. @throws AppError `unavailable` */
function idleReader(): Reader {
  const answering = readers.filter(reader => !isStuck(reader))
  const [best] = answering.toSorted((a, b) => a.waiting.size - b.waiting.size)
  if (best && (best.waiting.size === 0 || answering.length >= MAX_WORKERS)) return best
  if (readers.length < MAX_WITH_STUCK) return startReader()
  if (best) return best
  throw new AppError('unavailable', 'the disks do not respond')
}

const isStuck = ({ waiting, answered }: Reader) => waiting.size > 0 && performance.now() - answered > STUCK

function startReader(): Reader {
  const worker = new Worker(new URL('./folder-worker.ts', import.meta.url), BUSY_THREAD)
  const reader: Reader = { worker, waiting: new Map(), answered: 0 }
  worker.on('message', (response: WorkerResponse) => settle(reader, response))
  worker.on('error', cause => retire(reader, cause))
  worker.on('exit', () => retire(reader, undefined))
  worker.unref()
  readers.push(reader)
  return reader
}

function settle(reader: Reader, response: WorkerResponse): void {
  const waiter = reader.waiting.get(response.id)
  reader.waiting.delete(response.id)
  reader.answered = performance.now()
  if (reader.waiting.size === 0) reader.worker.unref()
  if ('errno' in response) waiter?.reject(systemError(response.errno))
  else waiter?.resolve(response)
}

/** Fails the pending requests of a thread that ended, for lack of memory or because of a defect. */
function retire(reader: Reader, cause: unknown): void {
  const at = readers.indexOf(reader)
  if (at >= 0) readers.splice(at, 1)
  for (const waiter of reader.waiting.values()) waiter.reject(new AppError('unavailable', 'unavailable', { cause }))
  reader.waiting.clear()
}

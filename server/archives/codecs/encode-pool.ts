import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import { type Done, type Job, METHODS, type Method } from './encoders.ts'

/** Maximum number of threads; one processor is left for everything else. */
const MAX_WORKERS = Math.min(4, Math.max(1, availableParallelism() - 1))
/** Blocks of one archive in progress at once. */
const AHEAD = 2

interface Compressor {
  worker: Worker
  waiting: Map<number, PromiseWithResolvers<Uint8Array>>
}

const compressors: Compressor[] = []
let lastId = 0

/** The bytes of `source` compressed on other threads, in order, never more than a few blocks ahead of the reader. */
export async function* compressed(source: AsyncIterable<Uint8Array>, method: Method): AsyncGenerator<Uint8Array> {
  const underWay: Promise<Uint8Array>[] = []
  for await (const block of blocksOf(source, METHODS[method].block)) {
    const packing = compress(method, block)
    // After an early exit the block has no consumer: its failure must not be unhandled.
    packing.catch(() => {})
    underWay.push(packing)
    if (underWay.length < AHEAD) continue
    const first = await underWay.shift()
    if (first) yield first
  }
  for (const packing of underWay) yield await packing
}

/** The same bytes in blocks of exactly `size`, except the last; each is a buffer of its own. */
export async function* blocksOf(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let block = new Uint8Array(size)
  let filled = 0
  for await (const piece of source) {
    for (let done = 0; done < piece.length; ) {
      const taken = piece.subarray(done, done + size - filled)
      block.set(taken, filled)
      filled += taken.length
      done += taken.length
      if (filled < size) continue
      yield block
      block = new Uint8Array(size)
      filled = 0
    }
  }
  if (filled > 0) yield block.slice(0, filled)
}

function compress(method: Method, block: Uint8Array): Promise<Uint8Array> {
  const compressor = leastBusy()
  const job: Job = { id: ++lastId, method, block }
  const answer = Promise.withResolvers<Uint8Array>()
  compressor.waiting.set(job.id, answer)
  compressor.worker.ref()
  compressor.worker.postMessage(job, [block.buffer as ArrayBuffer])
  return answer.promise
}

function leastBusy(): Compressor {
  const [best] = compressors.toSorted((a, b) => a.waiting.size - b.waiting.size)
  if (best && (best.waiting.size === 0 || compressors.length >= MAX_WORKERS)) return best
  return startCompressor()
}

function startCompressor(): Compressor {
  const worker = new Worker(new URL('./encode-worker.ts', import.meta.url), LEAN_THREAD)
  const compressor: Compressor = { worker, waiting: new Map() }
  worker.on('message', ({ id, packed }: Done) => {
    compressor.waiting.get(id)?.resolve(packed)
    compressor.waiting.delete(id)
    if (compressor.waiting.size === 0) worker.unref()
  })
  worker.on('error', cause => retire(compressor, cause))
  worker.on('exit', () => retire(compressor, undefined))
  worker.unref()
  compressors.push(compressor)
  return compressor
}

/** Fails the pending blocks of a thread that ended, for lack of memory or because of a defect. */
function retire(compressor: Compressor, cause: unknown): void {
  const at = compressors.indexOf(compressor)
  if (at >= 0) compressors.splice(at, 1)
  for (const answer of compressor.waiting.values()) {
    answer.reject(new AppError('unavailable', 'unavailable', { cause }))
  }
  compressor.waiting.clear()
}

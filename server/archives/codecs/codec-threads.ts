import { availableParallelism } from 'node:os'
import { Semaphore } from '../../lib/limit.ts'
import { IDLE_TIME } from '../../lib/worker-client.ts'
import { WorkerPool } from '../../lib/worker-pool.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import type { CodecCalls } from './codec-worker.ts'
import type { Unpacking } from './decoders.ts'
import { METHODS, type Method } from './encoders.ts'

/** One processor is left for everything else. */
const MAX_ENCODERS = Math.min(4, Math.max(1, availableParallelism() - 1))
/** Decoders for requests. */
export const REQUEST_SEMAPHORE = new Semaphore(2)
/** Decoders for jobs, which may take hours and must not keep requests waiting. */
export const JOB_SEMAPHORE = new Semaphore(2)
/** As many as both together. */
const MAX_DECODERS = 4
/** Blocks of one archive in progress at once. */
const AHEAD = 2

const pool = (size: number) =>
  new WorkerPool<CodecCalls>(new URL('./codec-worker.ts', import.meta.url), {
    size,
    idleTime: IDLE_TIME,
    ...LEAN_THREAD,
  })
const encoders = pool(MAX_ENCODERS)
const decoders = pool(MAX_DECODERS)

/** The bytes of `source` compressed on other threads, in order, never more than a few blocks ahead of the reader. */
export async function* compressed(source: AsyncIterable<Uint8Array>, method: Method): AsyncGenerator<Uint8Array> {
  const underWay: Promise<Uint8Array>[] = []
  for await (const block of blocksOf(source, METHODS[method].block)) {
    const packing = encoders.request('compress', { method, block }, { transfer: [block.buffer] })
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
export async function* blocksOf(
  source: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let block = new Uint8Array(size)
  let filled = 0
  for await (const chunk of source) {
    for (let done = 0; done < chunk.length; ) {
      const taken = chunk.subarray(done, done + size - filled)
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

/**
 * The bytes of `packed` decompressed on another thread, a chunk ahead of the reader. Excess streams are queued.
 * @throws undecodable, unsupported, unavailable when the thread ended, and whatever the source throws
 */
export async function* decompressed(
  packed: AsyncIterable<Uint8Array>,
  how: Unpacking,
  { semaphore, signal }: { semaphore: Semaphore; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const release = await semaphore.acquire(signal)
  try {
    yield* decoders.stream('decompress', how, { input: packed, signal })
  } finally {
    release()
  }
}

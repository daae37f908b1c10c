import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { LEAN_THREAD } from '../worker-memory.ts'
import type { Digest, DigestRequest, DigestResponse } from './running-checksums.ts'

interface Thread {
  worker: Worker
  waiting: Map<number, PromiseWithResolvers<string | undefined>>
}

let thread: Thread | undefined
let lastId = 0

/** The checksum of a byte stream in lower-case hex, computed on another thread; the source is read at that speed. */
export async function digestOf(source: AsyncIterable<Uint8Array>, algorithm: Digest): Promise<string> {
  const id = ++lastId
  const own = currentThread()
  let complete = false
  try {
    for await (const piece of source) await request(own, { id, algorithm, piece })
    const digest = await request(own, { id, algorithm, last: true })
    complete = true
    return digest ?? ''
  } finally {
    // Makes the thread drop the state of a file that could not be read to its end.
    if (!complete) own.worker.postMessage({ id, algorithm, last: true } satisfies DigestRequest)
  }
}

function request(own: Thread, message: DigestRequest): Promise<string | undefined> {
  const response = Promise.withResolvers<string | undefined>()
  own.waiting.set(message.id, response)
  own.worker.ref()
  own.worker.postMessage(message)
  return response.promise
}

function currentThread(): Thread {
  if (thread) return thread
  const worker = new Worker(new URL('./checksum-worker.ts', import.meta.url), LEAN_THREAD)
  const started: Thread = { worker, waiting: new Map() }
  worker.on('message', ({ id, digest }: DigestResponse) => {
    started.waiting.get(id)?.resolve(digest)
    started.waiting.delete(id)
    if (started.waiting.size === 0) worker.unref()
  })
  worker.on('error', cause => retire(started, cause))
  worker.on('exit', () => retire(started, undefined))
  worker.unref()
  thread = started
  return started
}

/** Fails the pending checksums of a thread that ended. */
function retire(ended: Thread, cause: unknown): void {
  if (thread === ended) thread = undefined
  for (const response of ended.waiting.values()) response.reject(new AppError('unavailable', 'unavailable', { cause }))
  ended.waiting.clear()
}

import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { LEAN_THREAD } from '../worker-memory.ts'
import type { Digest, DigestAnswer, DigestAsk } from './running-checksums.ts'

interface Thread {
  worker: Worker
  waiting: Map<number, PromiseWithResolvers<string | undefined>>
}

let thread: Thread | undefined
let lastId = 0

/** The checksum of some bytes in lower-case hex, made on another thread; the source is read no faster than that works. */
export async function digestOf(source: AsyncIterable<Uint8Array>, algorithm: Digest): Promise<string> {
  const id = ++lastId
  const own = currentThread()
  let complete = false
  try {
    for await (const piece of source) await ask(own, { id, algorithm, piece })
    const digest = await ask(own, { id, algorithm, last: true })
    complete = true
    return digest ?? ''
  } finally {
    // Makes the thread forget what it has of a file that could not be read to its end.
    if (!complete) own.worker.postMessage({ id, algorithm, last: true } satisfies DigestAsk)
  }
}

function ask(own: Thread, question: DigestAsk): Promise<string | undefined> {
  const answer = Promise.withResolvers<string | undefined>()
  own.waiting.set(question.id, answer)
  own.worker.ref()
  own.worker.postMessage(question)
  return answer.promise
}

function currentThread(): Thread {
  if (thread) return thread
  const worker = new Worker(new URL('./checksum-worker.ts', import.meta.url), LEAN_THREAD)
  const started: Thread = { worker, waiting: new Map() }
  worker.on('message', ({ id, digest }: DigestAnswer) => {
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

/** A thread that ended must not leave anybody waiting. */
function retire(ended: Thread, cause: unknown): void {
  if (thread === ended) thread = undefined
  for (const answer of ended.waiting.values()) answer.reject(new AppError('unavailable', 'unavailable', { cause }))
  ended.waiting.clear()
}

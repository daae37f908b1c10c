import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError, ERROR_CODES } from '../../errors.ts'
import type { Semaphore } from '../../lib/limit.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import type { FromThread, ToThread, Unpacking } from './decoders.ts'

/**
 * The bytes of `packed` decompressed on another thread, never more than a chunk ahead of the reader. Excess streams are
 * queued.
 * @throws undecodable, unsupported, unavailable when the thread ended, and whatever the source throws
 */
export async function* unpackedOnThread(
  packed: AsyncIterable<Uint8Array>,
  how: Unpacking,
  { semaphore, signal }: { semaphore: Semaphore; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const release = await semaphore.acquire(signal)
  const source = packed[Symbol.asyncIterator]()
  const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { workerData: how, ...LEAN_THREAD })
  const report = (message: ToThread) => worker.postMessage(message)
  try {
    report({ next: true })
    for await (const [message] of on(worker, 'message', { close: ['exit'], signal })) {
      const said: FromThread = message
      if ('end' in said) return
      if ('failed' in said) throw new AppError(codeOf(said.failed))
      if ('piece' in said) {
        yield said.piece
        report({ next: true })
      } else {
        const { done, value } = await source.next()
        report(done ? { packedEnd: true } : { packed: value })
      }
    }
    throw new AppError('unavailable')
  } catch (thrown) {
    signal.throwIfAborted()
    throw thrown
  } finally {
    await worker.terminate()
    await source.return?.()
    release()
  }
}

const codeOf = (said: string) => ERROR_CODES.find(code => code === said) ?? 'internal'

import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError, ERROR_CODES } from '../../errors.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import type { FromThread, ToThread, Unpacking } from './decoders.ts'
import type { Turns } from './semaphore.ts'

/**
 * The bytes of `packed` unpacked on another thread, never more than a piece ahead of the reader. Too many at a time wait.
 * @throws undecodable, unsupported, unavailable when the thread ended, and whatever the source throws
 */
export async function* unpackedApart(
  packed: AsyncIterable<Uint8Array>,
  how: Unpacking,
  { turns, signal }: { turns: Turns; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const giveBack = await turns.take(signal)
  const source = packed[Symbol.asyncIterator]()
  const worker = new Worker(new URL('./decode-worker.ts', import.meta.url), { workerData: how, ...LEAN_THREAD })
  const tell = (message: ToThread) => worker.postMessage(message)
  try {
    tell({ next: true })
    for await (const [message] of on(worker, 'message', { close: ['exit'], signal })) {
      const said: FromThread = message
      if ('end' in said) return
      if ('failed' in said) throw new AppError(codeOf(said.failed))
      if ('piece' in said) {
        yield said.piece
        tell({ next: true })
      } else {
        const { done, value } = await source.next()
        tell(done ? { packedEnd: true } : { packed: value })
      }
    }
    throw new AppError('unavailable')
  } catch (thrown) {
    signal.throwIfAborted()
    throw thrown
  } finally {
    await worker.terminate()
    await source.return?.()
    giveBack()
  }
}

const codeOf = (said: string) => ERROR_CODES.find(code => code === said) ?? 'internal'

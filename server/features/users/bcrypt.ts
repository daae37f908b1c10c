import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import type { BcryptAsk } from './bcrypt-worker.ts'

/**
 * Whether a password matches a bcrypt hash; 72 bytes of the password count. Each check has a worker thread of its own:
 * it is CPU-bound, and happens once for each imported account, whose hash is then replaced.
 * @throws AppError `unavailable` when the thread ends without an answer
 */
export async function verifyBcrypt(password: string, hash: string): Promise<boolean> {
  const workerData: BcryptAsk = { password, hash }
  const worker = new Worker(new URL('./bcrypt-worker.ts', import.meta.url), { workerData, ...LEAN_THREAD })
  try {
    const [answer] = await Promise.race([once(worker, 'message'), once(worker, 'exit')])
    if (typeof answer === 'boolean') return answer
    throw new AppError('unavailable')
  } finally {
    await worker.terminate()
  }
}

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import type { BcryptAsk } from './bcrypt-worker.ts'

/**
 * Whether a password matches a bcrypt hash; of the password, 72 bytes count. Each check has a thread of its own, which it
 * keeps busy: there is one for each imported account, whose hash is then made again.
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

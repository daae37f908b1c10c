import type { FileHandle } from 'node:fs/promises'
import { IDLE_TIME } from '../../../lib/worker-client.ts'
import { WorkerPool } from '../../../lib/worker-pool.ts'
import { LEAN_THREAD } from '../../../worker-memory.ts'
import type { Copying } from '../../write-file.ts'
import { systemError } from '../errno.ts'
import type { CopyCalls } from './copy-worker.ts'

/** Bytes per call, which nothing interrupts, and between two flushes. */
const PIECE = 8 * 1024 ** 2

const copiers = new WorkerPool<CopyCalls>(new URL('./copy-worker.ts', import.meta.url), {
  size: 2,
  // A slow disk may take seconds for a piece.
  stuckAfter: 20_000,
  sizeWithStuck: 4,
  idleTime: IDLE_TIME,
  ...LEAN_THREAD,
})

/**
 * Copies the first bytes of an open file to an empty one within the kernel, and flushes them while the next ones are copied.
 * The caller keeps both open until it settles.
 * @returns how many were copied: fewer where the file became shorter, or `signal` fired. Throws system errors.
 */
export async function copyWithin(
  from: number,
  to: FileHandle,
  length: number,
  { signal, taken }: Copying,
): Promise<number> {
  // A disk that hangs leaves the ordinary way to others.
  if (copiers.isStuck) throw systemError('ENOSYS')
  let position = 0
  let flushing: Promise<void> = Promise.resolve()
  try {
    while (position < length && !signal?.aborted) {
      const count = Math.min(PIECE, length - position)
      const copied = await copiers.request('copy', { from, to: to.fd, position, count })
      if (typeof copied === 'string') throw systemError(copied)
      if (copied === 0) break
      position += copied
      taken?.(copied)
      await flushing
      flushing = to.datasync()
      flushing.catch(() => {})
    }
  } finally {
    await flushing
  }
  return position
}

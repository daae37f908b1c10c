import { Worker } from 'node:worker_threads'
import { nameOf } from '../../../shared/path.ts'
import type { ReaderTogether, ReadFile, ReadOrder } from '../together.ts'
import { OwnThread, type Threads } from './own-thread.ts'
import { isOurs, type Scope } from './scope.ts'
import type { TogetherAnswer, TogetherAsk } from './together-messages.ts'

const THREADS: Threads = { running: 0, most: 4, patience: 20_000 }

/**
 * Reads many files on a thread of its own. Nothing where too many are at it, or where paths are held by names.
 */
export function readerTogether({ root, guard, level, stagingKey }: Scope): ReaderTogether | undefined {
  if (level === 'names') return undefined
  const start = () => new Worker(new URL('./together-worker.ts', import.meta.url))
  const thread = OwnThread.begin<TogetherAsk, TogetherAnswer>(THREADS, start)
  if (!thread) return undefined
  const mayBe = ({ file }: ReadOrder) => (!guard || guard(file)) && !isOurs({ stagingKey }, file)
  const place = { root: root === '/' ? '' : root, isGuarded: guard !== undefined }
  return {
    get isReady() {
      return thread.isReady || thread.hasEnded
    },
    async read(orders) {
      const allowed = orders.filter(mayBe)
      // Where it ended or takes too long, each is opened by itself.
      const answer = allowed.length > 0 && (await thread.ask({ ...place, orders: allowed }).catch(() => undefined))
      const read = answer && filesIn(allowed, answer)
      return orders.map(order => (read ? read.get(order) : undefined))
    },
    close: () => thread.end(),
  }
}

function filesIn(orders: readonly ReadOrder[], { found, bytes }: TogetherAnswer): Map<ReadOrder, ReadFile> {
  const files = new Map<ReadOrder, ReadFile>()
  let at = 0
  for (const [index, order] of orders.entries()) {
    const { file, bytes: length } = order
    const facts = found[index]
    if (!facts) continue
    const entry = { name: nameOf(file), path: file, canonical: file, isLink: false, ...facts }
    files.set(order, { entry, content: bytes.subarray(at, at + length) })
    at += length
  }
  return files
}

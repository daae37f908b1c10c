import { Worker } from 'node:worker_threads'
import { nameOf } from '../../../shared/path.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import type { ReaderTogether, ReadFile, ReadOrder } from '../batch-read.ts'
import type { TogetherAnswer, TogetherAsk } from './batch-read-messages.ts'
import { isOurs, type Scope } from './resolve-path.ts'
import { OwnThread, type Threads } from './worker-client.ts'

const THREADS: Threads = { running: 0, most: 4, patience: 20_000 }

/**
 * Reads many files on a thread of its own. Nothing where too many are at it, or where paths are held by names.
 */
export function readerTogether({ root, guard, level, stagingKey }: Scope): ReaderTogether | undefined {
  if (level === 'names') return undefined
  const start = () => new Worker(new URL('./batch-read-worker.ts', import.meta.url), LEAN_THREAD)
  const thread = OwnThread.begin<TogetherAsk, TogetherAnswer>(THREADS, start)
  if (!thread) return undefined
  const mayBe = ({ file }: ReadOrder) => (!guard || guard(file)) && !isOurs({ stagingKey }, file)
  const place = { root: root === '/' ? '' : root, isGuarded: guard !== undefined }
  const spare: Uint8Array<ArrayBuffer>[] = []
  const ask = (orders: readonly ReadOrder[]) => {
    const memory = spare.pop()
    return thread.ask({ ...place, orders, ...(memory && { memory }) }, memory ? [memory.buffer] : [])
  }
  return {
    get isReady() {
      return thread.isReady || thread.hasEnded
    },
    async read(orders) {
      const allowed = orders.filter(mayBe)
      // Where it ended or takes too long, each is opened by itself.
      const answer = allowed.length > 0 ? await ask(allowed).catch(() => undefined) : undefined
      const files = answer ? filesIn(allowed, answer) : []
      const found = files.values()
      return {
        files:
          files.length === orders.length ? files : orders.map(order => (mayBe(order) ? found.next().value : undefined)),
        release: () => void (answer && spare.push(answer.bytes)),
      }
    },
    close: () => thread.end(),
  }
}

function filesIn(orders: readonly ReadOrder[], { found, bytes }: TogetherAnswer): (ReadFile | undefined)[] {
  let at = 0
  return orders.map(({ file, bytes: length }, index) => {
    const facts = found[index]
    if (!facts) return undefined
    const entry = { name: nameOf(file), path: file, canonical: file, isLink: false, ...facts }
    at += length
    return { entry, content: bytes.subarray(at - length, at) }
  })
}

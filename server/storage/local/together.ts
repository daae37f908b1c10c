import { Worker } from 'node:worker_threads'
import { nameOf } from '../../../shared/path.ts'
import type { ReaderTogether, ReadFile, ReadOrder } from '../together.ts'
import { isOurs, type Scope } from './scope.ts'
import type { TogetherAnswer, TogetherAsk } from './together-messages.ts'

/** Threads at a time; a disk that hangs keeps no thread but those. */
const MAX_THREADS = 4

/** Milliseconds that the disk may take for some files together. */
const PATIENCE = 20_000

let running = 0

/**
 * Reads many files on a thread of its own. Nothing where too many are at it, or where paths are held by names.
 */
export function readerTogether({ root, guard, level, stagingKey }: Scope): ReaderTogether | undefined {
  if (running >= MAX_THREADS || level === 'names') return undefined
  running++
  const worker = new Worker(new URL('./together-worker.ts', import.meta.url))
  const waiting = new Map<number, (answer: TogetherAnswer | undefined) => void>()
  let lastId = 0
  let [ready, ended] = [false, false]
  const end = () => {
    ended = true
    for (const settle of waiting.values()) settle(undefined)
    waiting.clear()
    void worker.terminate()
  }
  worker.on('message', (answer: TogetherAnswer | 'ready') => {
    if (answer === 'ready') {
      ready = true
      return
    }
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  worker.on('error', end)
  worker.once('exit', () => {
    running--
    end()
  })
  const mayBe = ({ file }: ReadOrder) => (!guard || guard(file)) && !isOurs({ stagingKey }, file)
  const asked = async (orders: readonly ReadOrder[]): Promise<TogetherAnswer | undefined> => {
    const id = ++lastId
    const { promise, resolve } = Promise.withResolvers<TogetherAnswer | undefined>()
    waiting.set(id, resolve)
    worker.postMessage({
      id,
      root: root === '/' ? '' : root,
      orders,
      isGuarded: guard !== undefined,
    } satisfies TogetherAsk)
    const late = setTimeout(end, PATIENCE)
    return promise.finally(() => clearTimeout(late))
  }
  return {
    get isReady() {
      return ready || ended
    },
    async read(orders) {
      const allowed = orders.filter(mayBe)
      const answer = ended || allowed.length === 0 ? undefined : await asked(allowed)
      const read = answer && filesIn(allowed, answer)
      return orders.map(order => read?.get(order))
    },
    close: end,
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

import { Worker } from 'node:worker_threads'
import { nameOf } from '../../../shared/path.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import type { ReaderTogether, ReadFile, ReadOrder } from '../batch-read.ts'
import type { BatchReadRequest, BatchReadResponse } from './batch-read-messages.ts'
import { isOurs, type Scope } from './resolve-path.ts'
import { type Threads, WorkerClient } from './worker-client.ts'

const THREADS: Threads = { running: 0, most: 4, patience: 20_000 }

/** Reads many files on a worker thread. `undefined` while too many are open, or where confinement is by names. */
export function batchReader({ root, guard, level, stagingKey }: Scope): ReaderTogether | undefined {
  if (level === 'names') return undefined
  const start = () => new Worker(new URL('./batch-read-worker.ts', import.meta.url), LEAN_THREAD)
  const thread = WorkerClient.begin<BatchReadRequest, BatchReadResponse>(THREADS, start)
  if (!thread) return undefined
  const mayBe = ({ file }: ReadOrder) => (!guard || guard(file)) && !isOurs({ stagingKey }, file)
  const place = { root: root === '/' ? '' : root, isGuarded: guard !== undefined }
  const freeBuffers: Uint8Array<ArrayBuffer>[] = []
  const request = (orders: readonly ReadOrder[]) => {
    const memory = freeBuffers.pop()
    return thread.request({ ...place, orders, ...(memory && { memory }) }, memory ? [memory.buffer] : [])
  }
  return {
    get isReady() {
      return thread.isReady || thread.hasEnded
    },
    async read(orders) {
      const allowed = orders.filter(mayBe)
      // If the worker failed or timed out, the files are opened individually.
      const response = allowed.length > 0 ? await request(allowed).catch(() => undefined) : undefined
      const files = response ? filesIn(allowed, response) : []
      const found = files.values()
      return {
        files:
          files.length === orders.length ? files : orders.map(order => (mayBe(order) ? found.next().value : undefined)),
        release: () => void (response && freeBuffers.push(response.bytes)),
      }
    },
    close: () => thread.end(),
  }
}

function filesIn(orders: readonly ReadOrder[], { found, bytes }: BatchReadResponse): (ReadFile | undefined)[] {
  let at = 0
  return orders.map(({ file, bytes: length }, index) => {
    const facts = found[index]
    if (!facts) return undefined
    const entry = { name: nameOf(file), path: file, canonical: file, isLink: false, ...facts }
    at += length
    return { entry, content: bytes.subarray(at - length, at) }
  })
}

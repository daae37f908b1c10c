import { type FilePath, joinPath, nameOf } from '../../../shared/path.ts'
import { Semaphore } from '../../lib/limit.ts'
import { WorkerClient } from '../../lib/worker-client.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import type { BatchCopier, BatchReader, CopyRequest, ReadFile, ReadRequest } from '../batch.ts'
import type { BatchCalls } from './batch-worker.ts'
import type { ReadResult } from './read-files.ts'
import { isOurs, type Scope } from './resolve-path.ts'

/** Limits of the threads of one kind: a hanging disk blocks no others. */
interface ThreadLimits {
  permits: Semaphore
  /** Milliseconds that the disk may take for a request. */
  deadline: number
}

const READERS: ThreadLimits = { permits: new Semaphore(4), deadline: 20_000 }
const COPIERS: ThreadLimits = { permits: new Semaphore(4), deadline: 60_000 }

/** Reads many files on a worker thread. `undefined` while too many are open, or where confinement is by names. */
export function batchReader({ root, guard, level, stagingKey }: Scope): BatchReader | undefined {
  const worker = level === 'names' ? undefined : startWorker(READERS)
  if (!worker) return undefined
  const isAllowed = ({ file }: ReadRequest) => (!guard || guard(file)) && !isOurs({ root, stagingKey }, file)
  const place = { root: root === '/' ? '' : root, isGuarded: guard !== undefined }
  const freeBuffers: Uint8Array<ArrayBuffer>[] = []
  const read = (requests: readonly ReadRequest[]) => {
    const memory = freeBuffers.pop()
    const transfer = memory ? [memory.buffer] : []
    return worker.request('read', { ...place, requests, ...(memory && { memory }) }, { transfer })
  }
  return {
    get isReady() {
      return worker.isReady || !worker.isRunning
    },
    async read(requests) {
      const allowed = requests.filter(isAllowed)
      // If the worker failed or timed out, the files are opened individually.
      const result = allowed.length > 0 ? await read(allowed).catch(() => undefined) : undefined
      const files = result ? filesIn(allowed, result) : []
      const found = files.values()
      return {
        files:
          files.length === requests.length
            ? files
            : requests.map(request => (isAllowed(request) ? found.next().value : undefined)),
        release: () => void (result && freeBuffers.push(result.bytes)),
      }
    },
    close: () => void worker.close(),
  }
}

function filesIn(requests: readonly ReadRequest[], { found, bytes }: ReadResult): (ReadFile | undefined)[] {
  let at = 0
  return requests.map(({ file, bytes: length }, index) => {
    const facts = found[index]
    if (!facts) return undefined
    const entry = { name: nameOf(file), path: file, canonical: file, isLink: false, ...facts }
    at += length
    return { entry, content: bytes.subarray(at - length, at) }
  })
}

/**
 * Copies many small files on a worker thread with synchronous calls, in a tenth of the time.
 * @param tree the real path of the staged folder
 * @param goal its final path, which the guard is asked about
 */
export function batchCopier({ root, guard }: Scope, tree: string, goal: FilePath): BatchCopier | undefined {
  const worker = startWorker(COPIERS)
  if (!worker) return undefined
  const isAllowed = ({ from, to }: CopyRequest) => !guard || (guard(from) && guard(joinPath(goal, to)))
  return {
    async copy(requests) {
      const allowed = requests.filter(isAllowed)
      const call = worker.request('copy', { root: root === '/' ? '' : root, tree, requests: allowed })
      const copied = await call.catch(() => [])
      const done = new Set(allowed.filter((_, index) => copied[index]))
      return requests.map(request => done.has(request))
    },
    close: () => void worker.close(),
  }
}

function startWorker({ permits, deadline }: ThreadLimits): WorkerClient<BatchCalls> | undefined {
  const release = permits.tryAcquire()
  if (!release) return undefined
  const url = new URL('./batch-worker.ts', import.meta.url)
  const worker = new WorkerClient<BatchCalls>(url, { deadline, once: true, onExit: release, ...LEAN_THREAD })
  worker.start()
  return worker
}

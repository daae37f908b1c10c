import { Worker } from 'node:worker_threads'
import { type FilePath, joinPath } from '../../../shared/path.ts'
import { LEAN_THREAD } from '../../worker-memory.ts'
import type { CopyOrder, TreeFiller } from '../driver.ts'
import type { BatchCopyRequest, BatchCopyResponse } from './batch-copy-messages.ts'
import type { Scope } from './resolve-path.ts'
import { type Threads, WorkerClient } from './worker-client.ts'

const THREADS: Threads = { running: 0, most: 4, patience: 60_000 }

/**
 * Copies many small files on a worker thread with synchronous calls, in a tenth of the time.
 * @param tree the real path of the staged folder
 * @param goal its final path, which the guard is asked about
 */
export function batchCopier({ root, guard }: Scope, tree: string, goal: FilePath): TreeFiller | undefined {
  const start = () => new Worker(new URL('./batch-copy-worker.ts', import.meta.url), LEAN_THREAD)
  const thread = WorkerClient.begin<BatchCopyRequest, BatchCopyResponse>(THREADS, start)
  if (!thread) return undefined
  const mayBe = ({ from, to }: CopyOrder) => !guard || (guard(from) && guard(joinPath(goal, to)))
  return {
    async fill(files) {
      if (thread.hasEnded) return files.map(() => false)
      const allowed = files.filter(mayBe)
      const { done } = await thread.request({ root: root === '/' ? '' : root, tree, files: allowed })
      const there = new Set(allowed.filter((_, index) => done[index]))
      return files.map(file => there.has(file))
    },
    close: () => thread.end(),
  }
}

import { IDLE_TIME } from '../../lib/worker-client.ts'
import { WorkerPool } from '../../lib/worker-pool.ts'
import { BUSY_THREAD } from '../../worker-memory.ts'
import type { Batch, FolderToRead, ScanBatch, Wanted } from './entry-batches.ts'
import type { FolderCalls } from './folder-worker.ts'
import type { TreeToScan } from './scan-tree.ts'

/** Each thread costs some megabytes; those that are stuck on a disk are replaced. */
const readers = new WorkerPool<FolderCalls>(new URL('./folder-worker.ts', import.meta.url), {
  size: 4,
  stuckAfter: 5000,
  sizeWithStuck: 12,
  idleTime: 10 * IDLE_TIME,
  ...BUSY_THREAD,
})

/**
 * The entries of a folder in batches, read on a worker thread one batch ahead of the consumer, sorted if an order is
 * given. When the iterator ends or is left early, no thread uses `folder.at` any more. Throws system errors.
 */
export function readFolder(folder: FolderToRead, wanted?: Wanted): AsyncGenerator<Batch> {
  return readers.stream('read', { folder, wanted })
}

/** Matching names in a tree on disk, read in the same way. Without matches an empty batch comes from time to time. */
export function scanTree(tree: TreeToScan): AsyncGenerator<ScanBatch> {
  return readers.stream('search', tree)
}

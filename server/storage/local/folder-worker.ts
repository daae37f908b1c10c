import { promisify } from 'node:util'
import { serveCalls, transferring } from '../../lib/worker-serve.ts'
import type { HitBatch } from '../found-names.ts'
import { HitBatches } from '../hit-batches.ts'
import type { Batch, FolderToRead, ScanBatch, Wanted } from './entry-batches.ts'
import { bindKernel, type Kernel } from './kernel/kernel.ts'
import { readFolder } from './read-folder.ts'
import { scanTree, type TreeToScan } from './scan-tree.ts'

/**
 * Reads folders with synchronous calls, several times as fast as asynchronous ones, on a worker thread. The main thread
 * requests one batch at a time, and holds the folder open until the last response.
 */

/** Milliseconds after which a search without matches reports an empty batch: the caller may have lost interest. */
const REPORT = 100

const NOTHING: HitBatch = { paths: '', facts: new Float64Array(), disks: new Float64Array(), last: false }

const nextTurn = promisify(setImmediate)

export type FolderCalls = typeof CALLS

const CALLS = {
  *read({ folder, wanted }: { folder: FolderToRead; wanted: Wanted | undefined }): Generator<Batch, Batch> {
    const calls = folder.descriptor === undefined ? undefined : kernel()
    const batches = readFolder(folder, wanted, { calls, followsLinks: true })
    let next = batches.next()
    try {
      for (; !next.done; next = batches.next()) yield handedOver(next.value)
      return handedOver(next.value)
    } finally {
      // A reader may leave early.
      batches.return(next.value)
    }
  },

  /** Other calls are served between slices. */
  async *search(tree: TreeToScan): AsyncGenerator<ScanBatch, ScanBatch> {
    const scan = scanTree(tree)
    const batches = new HitBatches()
    for (let since = performance.now(); ; ) {
      const found = (await batches.next(scan.found)) ?? (performance.now() - since > REPORT ? NOTHING : undefined)
      if (!found) {
        await nextTurn()
        continue
      }
      if (found.last) return { found, met: scan.met }
      yield { found, met: scan.met }
      since = performance.now()
      batches.resume()
    }
  },
}

serveCalls(CALLS)

function handedOver({ columns, census }: Batch): Batch {
  const heads = census ? [census.heads.kinds.buffer, census.heads.names.buffer] : []
  return transferring({ columns, census }, [columns.numbers.buffer, columns.marks.buffer, ...heads])
}

let bound: Kernel | undefined

/** The system calls of this thread; the main thread has tested them. */
function kernel(): Kernel | undefined {
  bound ??= bindKernel()
  return bound
}

import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { type Sorting, sortItems } from '../../../../../shared/sorting.ts'
import { createArchive, type PackedItems } from './packed.ts'
import type { SortJob, SortResult } from './sort.worker.ts'

let worker: Worker | undefined
let lastId = 0

/**
 * Sorts in a worker, so that the page stays responsive; on the page if no worker starts. @param sizeOf sizes of folders
 * too, for the order by size
 */
export async function sortLarge(
  items: readonly ResourceItem[],
  sorting: Sorting,
  sizeOf?: (item: ResourceItem) => number,
): Promise<ResourceItem[]> {
  try {
    worker ??= new Worker(new URL('./sort.worker.ts', import.meta.url), { type: 'module' })
    const order = await ask(worker, createArchive(items, sizeOf), sorting)
    return Array.from(order, index => items[index] as ResourceItem)
  } catch {
    worker = undefined
    return sortItems(items, sorting, sizeOf)
  }
}

function ask(target: Worker, packed: PackedItems, sorting: Sorting): Promise<Uint32Array> {
  lastId += 1
  const job: SortJob = { id: lastId, packed, sorting }
  return new Promise((resolve, reject) => {
    const stop = new AbortController()
    const onMessage = ({ data }: MessageEvent<SortResult>) => {
      if (data.id !== job.id) return
      stop.abort()
      resolve(data.order)
    }
    const onError = () => {
      stop.abort()
      reject(new Error('sorting failed'))
    }
    target.addEventListener('message', onMessage, { signal: stop.signal })
    target.addEventListener('error', onError, { signal: stop.signal })
    target.postMessage(job, { transfer: [job.packed.sizes.buffer, job.packed.folders.buffer] })
  })
}

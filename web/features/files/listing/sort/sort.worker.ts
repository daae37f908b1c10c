import type { Sorting } from '../../../../../shared/sorting.ts'
import { type PackedItems, sortPacked } from './packed.ts'

export interface SortJob {
  id: number
  packed: PackedItems
  sorting: Sorting
}

export interface SortResult {
  id: number
  order: Uint32Array<ArrayBuffer>
}

self.addEventListener('message', ({ data }: MessageEvent<SortJob>) => {
  const order = sortPacked(data.packed, data.sorting)
  const result: SortResult = { id: data.id, order }
  self.postMessage(result, { transfer: [order.buffer] })
})

import { Worker } from 'node:worker_threads'
import { BUSY_THREAD } from '../../../worker-memory.ts'
import type { IndexedPlace } from '../../names/messages.ts'
import type { BucketSetup } from './setup.ts'

/** A part of a bucket as the place of a name index. @param own settings of its thread beyond `NamesSetup` */
export function indexedBucket(own: Pick<BucketSetup, 'address' | 'credentials'>): IndexedPlace {
  const { endpoint, bucket, prefix } = own.address
  return {
    root: `${endpoint} ${bucket}/${prefix}`,
    hasTexts: false,
    start: setup =>
      new Worker(new URL('./worker.ts', import.meta.url), { workerData: { ...setup, ...own }, ...BUSY_THREAD }),
  }
}

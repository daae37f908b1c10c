import { Worker } from 'node:worker_threads'
import { BUSY_THREAD } from '../../../worker-memory.ts'
import type { IndexedPlace } from '../../names/messages.ts'
import type { BucketSetup } from './setup.ts'

/** A part of a bucket as an index of names has it. @param own what its thread has to know beside `NamesSetup` */
export function indexedBucket(own: Pick<BucketSetup, 'address' | 'credentials'>): IndexedPlace {
  const { endpoint, bucket, prefix } = own.address
  return {
    root: `${endpoint} ${bucket}/${prefix}`,
    hasTexts: false,
    start: setup =>
      new Worker(new URL('./worker.ts', import.meta.url), { workerData: { ...setup, ...own }, ...BUSY_THREAD }),
  }
}

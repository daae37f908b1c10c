import { workerData } from 'node:worker_threads'
import { sharedBackend } from '../../names/postgres/open-postgres.ts'
import { respondToHost, runIndexService } from '../../names/worker-main.ts'
import { S3Client } from '../client.ts'
import { BucketCrawl } from './crawl.ts'
import { keysBelow } from './keys-below.ts'
import type { BucketSetup } from './setup.ts'

// The thread that keeps the name index of a bucket.
runIndexService(workerData as BucketSetup, setup => {
  const keys = keysBelow(new S3Client(setup.address, setup.credentials), setup.address.prefix)
  return {
    backend: sharedBackend(setup, respondToHost),
    source: { crawl: (names, hear) => new BucketCrawl(names, keys, hear) },
  }
})

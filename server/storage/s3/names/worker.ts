import { workerData } from 'node:worker_threads'
import { shelfFor } from '../../names/postgres/open-postgres.ts'
import { answerHost, serveNames } from '../../names/worker-main.ts'
import { S3Client } from '../client.ts'
import { BucketCrawl } from './crawl.ts'
import { keysBelow } from './keys-below.ts'
import type { BucketSetup } from './setup.ts'

// The thread that keeps an index of the names in a bucket.
serveNames(workerData as BucketSetup, setup => {
  const keys = keysBelow(new S3Client(setup.address, setup.credentials), setup.address.prefix)
  return {
    shelf: shelfFor(setup, answerHost),
    source: { crawl: (names, hear) => new BucketCrawl(names, keys, hear) },
  }
})

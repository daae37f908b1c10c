import { workerData } from 'node:worker_threads'
import { serveNames } from '../../names/serve.ts'
import { S3Client } from '../client.ts'
import { BucketCrawl } from './crawl.ts'
import { keysBelow } from './keys-below.ts'
import type { BucketSetup } from './setup.ts'

// The thread that keeps an index of the names in a bucket.
serveNames(workerData as BucketSetup, ({ address, credentials }) => {
  const keys = keysBelow(new S3Client(address, credentials), address.prefix)
  return { crawl: (names, hear) => new BucketCrawl(names, keys, hear) }
})

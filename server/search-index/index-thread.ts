import { realpathSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { emitEvent, serveCalls, transferring } from '../lib/worker-serve.ts'
import type { HitBatch } from '../storage/driver.ts'
import { openKeys } from '../storage/open-storage.ts'
import { collectWhenIdle } from '../worker-memory.ts'
import { seekTexts } from './content/query-texts.ts'
import { TextCrawler } from './content/text-crawler.ts'
import { matchFiles } from './content/text-file.ts'
import { BucketCrawler } from './crawler/bucket-crawler.ts'
import type { IndexSource } from './crawler/crawl.ts'
import { FolderCrawler } from './crawler/folder-crawler.ts'
import { type IndexSetup, placeOf } from './index-host.ts'
import { IndexService } from './index-service.ts'
import { type SqliteStore, sqliteBackend } from './sqlite/store.ts'

// The thread that keeps an index in a file, and yields to all other work.

const NICENESS = 5
if (process.platform === 'linux') setPriority(0, NICENESS)

const given = workerData as IndexSetup
const setup = { ...given, file: join(realpathSync(dirname(given.file)), basename(given.file)) }
const backend = sqliteBackend(setup.file, placeOf(setup.root), setup.texts !== 'off')
const service = new IndexService(setup, backend, await sourceOf(setup), emitEvent)
parentPort?.on('message', collectWhenIdle())
serveCalls({
  find: query => sending(service.find(query)),
  findTexts: query => sending(service.findTexts(query)),
  match: query => service.match(query),
  sizes: query => service.sizes(query),
  changed: path => service.changed(path),
  listed: listing => service.listed(listing),
  close: () => service.close(),
})
await service.open()

async function sourceOf({ root, ...how }: IndexSetup): Promise<IndexSource<SqliteStore>> {
  if ('bucket' in root) {
    const keys = await openKeys(root)
    return { crawl: (store, on) => new BucketCrawler(store, keys, on) }
  }
  const folder = { ...how, ...root }
  return {
    crawl: (store, on) => new FolderCrawler(store, folder, on),
    texts: {
      crawl: store => new TextCrawler(store, folder),
      seek: seekTexts,
      match: (files, wanted) => matchFiles(folder, files, wanted),
    },
  }
}

async function* sending<T extends HitBatch | string>(batches: AsyncGenerator<T>): AsyncGenerator<T> {
  for await (const batch of batches) {
    if (typeof batch !== 'string') transferring<HitBatch>(batch, [batch.facts.buffer, batch.disks.buffer])
    yield batch
  }
}

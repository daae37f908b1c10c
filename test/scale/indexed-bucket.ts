import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { connectionTo } from '../../server/db/connection.ts'
import { openSearchIndex } from '../../server/search-index/open-index.ts'
import type { IndexEvent, IndexSettings, SearchIndex } from '../../server/search-index/search-index.ts'
import { expectSame, type Indexed } from '../../server/search-index/test-same.ts'
import { TEST_KEY } from '../../server/storage/local/test-place.ts'
import { crawlable } from '../../server/storage/open-storage.ts'
import { openS3, type S3Options } from '../../server/storage/s3.ts'
import { ROOT } from '../../shared/path.ts'
import { sharedPostgres } from './postgres.ts'
import { type Relay, startRelay } from './relay.ts'
import { type BucketPlace, bucketPlace } from './s3-place.ts'
import { sharedS3 } from './s3-store.ts'

/** A bucket with an index of its names. */
export interface IndexedBucket {
  here: BucketPlace
  relay: Relay
  /** Opens it through the relay, with an index whose file is the same each time. */
  open(more?: Partial<IndexSettings>): Promise<Indexed>
}

/** @param isShared whether its index is stored in PostgreSQL */
export async function indexedBucket(isShared: boolean): Promise<IndexedBucket> {
  const { credentials } = await sharedS3()
  const here = await bucketPlace()
  const file = join(tmpdir(), `filigree-names-${randomBytes(6).toString('hex')}`)
  onTestFinished(async () => {
    await here.close()
    for (const end of ['', '-wal', '-shm']) await rm(file + end, { force: true })
  })
  const relay = await startRelay(here.address)
  const database = isShared ? connectionTo(await (await sharedPostgres()).make()) : undefined
  const plain = { file, database, watches: true, scanEvery: 60_000, texts: 'auto', textsLimit: 0 } as const
  const open = async (more: Partial<IndexSettings> = {}): Promise<Indexed> => {
    const events: IndexEvent[] = []
    let index: SearchIndex | undefined
    const onListing: S3Options['onListing'] = (folder, read) => void index?.listed(folder, read)
    const store = await openS3({ address: relay.address, credentials, onListing })
    const root = await crawlable(relay.address, { credentials, stagingKey: TEST_KEY })
    const made = openSearchIndex({ ...plain, ...more }, root, event => events.push(event))
    index = made
    onTestFinished(() => made.close())
    return { store, index: made, events }
  }
  return { here, relay, open }
}

export async function complete({ index, events }: Indexed): Promise<void> {
  await index.want()
  await vi.waitUntil(() => events.some(({ event }) => event === 'complete'), { timeout: 60_000 })
}

/** Waits until the index is complete, for it keeps reading what it was notified of. */
export async function caughtUp({ index }: Indexed): Promise<void> {
  await vi.waitUntil(async () => (await index.find(ROOT, [])) !== undefined, { timeout: 60_000 })
}

/** Compares the index with a walk. */
export async function expectKnown(opened: Indexed): Promise<void> {
  await caughtUp(opened)
  await expectSame(opened)
}

/** More files than one request lists. */
export async function plantMany(here: BucketPlace): Promise<void> {
  for (let from = 0; from < 1200; from += 40) {
    const some = Array.from({ length: 40 }, (_, index) => `inside/d${(from + index) % 7}/file ${from + index}`)
    await Promise.all(some.map(path => here.plantFile(path, 'x')))
  }
}

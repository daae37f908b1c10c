import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { connectionTo } from '../../server/db/connection.ts'
import { NamesKeeper } from '../../server/storage/names/index-client.ts'
import type { IndexedPlace, NamesNews, NamesSettings } from '../../server/storage/names/messages.ts'
import { expectSame } from '../../server/storage/names/test-same.ts'
import { openS3 } from '../../server/storage/s3.ts'
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
  open(more?: Partial<NamesSettings>): Promise<Opened>
}

export type Opened = Pick<BucketPlace, 'store'> & { keeper: NamesKeeper; news: NamesNews[] }

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
  const plain = { file, database, watches: true, lookEvery: 60_000, texts: 'auto', textsLimit: 0 } as const
  const open = async (more: Partial<NamesSettings> = {}): Promise<Opened> => {
    const news: NamesNews[] = []
    let made: NamesKeeper | undefined
    const names = (place: IndexedPlace) => {
      made = new NamesKeeper({ ...plain, ...more }, place, told => news.push(told))
      return made
    }
    const store = await openS3({ address: relay.address, credentials, names })
    const keeper = made
    if (!keeper) throw new Error('no index was asked for')
    onTestFinished(() => keeper.close())
    return { store, keeper, news }
  }
  return { here, relay, open }
}

export async function complete({ keeper, news }: Opened): Promise<void> {
  keeper.want()
  await vi.waitUntil(() => news.some(told => told.news === 'complete'), { timeout: 60_000 })
}

/** Waits until the index is complete, for it keeps reading what it was notified of. */
export async function caughtUp({ keeper }: Opened): Promise<void> {
  await vi.waitUntil(async () => (await keeper.find(ROOT, [])) !== undefined, { timeout: 60_000 })
}

/** Compares the index with a walk. */
export async function expectKnown(opened: Opened): Promise<void> {
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

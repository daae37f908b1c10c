import { closeSync, openSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import type { CrawlableBucket } from '../../storage/crawlable.ts'
import { openKeys } from '../../storage/open-storage.ts'
import { BucketCrawler } from '../crawler/bucket-crawler.ts'
import type { CrawlEvents } from '../crawler/crawl.ts'
import type { IndexSetup } from '../index-host.ts'
import { IndexService } from '../index-service.ts'
import type { IndexEvent } from '../search-index.ts'
import { SqliteStore } from '../sqlite/store.ts'
import { PgClient, PgError } from './client.ts'
import { PostgresStore } from './store.ts'
import { CannotShare, SharedTables } from './tables.ts'

/** Milliseconds before an unavailable database is tried again. */
const PAUSE = 5000

/**
 * The index that all servers of a bucket share in their database, on this thread; it opens the database as soon as that
 * can be reached.
 * @returns `undefined` where the database cannot hold an index
 */
export async function openSharedIndex(
  setup: IndexSetup,
  root: CrawlableBucket,
  database: ClientConfig,
  report: (event: IndexEvent) => void,
) {
  let first: Promise<PostgresStore> | undefined = openStore(setup.file, database, root)
  const failure = await first.then(
    () => undefined,
    thrown => thrown,
  )
  if (failure instanceof CannotShare) {
    report({ event: 'kept in a file', reason: failure.message })
    return undefined
  }
  const backend = {
    open() {
      const store = first ?? openStore(setup.file, database, root)
      first = undefined
      return store
    },
    isBroken: (thrown: unknown) => thrown instanceof PgError,
    discard() {},
    lost: 'out of reach' as const,
    attempts: Number.POSITIVE_INFINITY,
    pause: PAUSE,
  }
  const keys = await openKeys(root)
  const source = { crawl: (store: PostgresStore, on: CrawlEvents) => new BucketCrawler(store, keys, on) }
  const service = new IndexService(setup, backend, source, report)
  await service.open()
  return Object.assign(service, { isRunning: true })
}

async function openStore(file: string, database: ClientConfig, root: CrawlableBucket): Promise<PostgresStore> {
  const store = await openPostgresStore(database, root.place)
  // The old content is not needed, but the file's existence makes the next start keep an index.
  SqliteStore.remove(file)
  closeSync(openSync(file, 'a', 0o600))
  return store
}

/** @param place identifies the indexed root @throws CannotShare, PgError */
export async function openPostgresStore(database: ClientConfig, place: string): Promise<PostgresStore> {
  const client = await PgClient.connect(database)
  try {
    const tables = new SharedTables(client, place)
    await tables.open()
    return new PostgresStore(client, tables)
  } catch (thrown) {
    await client.close()
    throw thrown
  }
}

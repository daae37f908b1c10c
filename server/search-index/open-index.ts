import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Crawlable, CrawlableBucket } from '../storage/crawlable.ts'
import type { HitBatch } from '../storage/driver.ts'
import { type IndexCalls, type IndexSetup, UNKNOWN_SIZES } from './index-host.ts'
import { startIndexThread } from './index-thread-client.ts'
import type { IndexEvent, IndexSettings, SearchIndex } from './search-index.ts'

/** Milliseconds that an index is given to save its work on closing. */
const GRACE = 2000

/**
 * The index of a root. Servers that share a bucket share its index in their database, if that is possible; any other
 * index is a file that a thread keeps. It runs once it is wanted, or is there from an earlier run.
 * @param report receives events for the host's log
 */
export function openSearchIndex(
  settings: IndexSettings,
  root: Crawlable,
  report: (event: IndexEvent) => void,
): SearchIndex {
  const setup: IndexSetup = { ...settings, root, ...('bucket' in root && { texts: 'off' }) }
  let starting: Promise<void> | undefined
  let host: (IndexCalls & { readonly isRunning: boolean }) | undefined
  let isClosed = false

  const running = () => (host?.isRunning ? host : undefined)
  const start = async () => {
    const shared = 'bucket' in root && setup.database ? await startShared(root, setup.database) : undefined
    host = shared ?? startIndexThread(setup, report)
  }
  const startShared = async (bucket: CrawlableBucket, database: ClientConfig) => {
    const { openSharedIndex } = await import('./postgres/open.ts')
    return openSharedIndex(setup, bucket, database, report)
  }
  const want = async () => {
    if (isClosed) return
    if (host && !host.isRunning) starting = undefined
    starting ??= start()
    await starting
  }
  /** An index that an earlier run built is worth keeping up to date. */
  async function startKept(): Promise<void> {
    if (!starting && existsSync(setup.file)) await want()
  }
  return {
    want,
    async find(folder, words) {
      await startKept()
      const found = running()?.find({ folder, words })
      const first = await found?.next().catch(() => undefined)
      return found && first && !first.done ? following(first.value, found) : undefined
    },
    ...(setup.texts !== 'off' && {
      async findTexts(folder, wanted) {
        await want()
        const found = running()?.findTexts({ folder, wanted })
        const first = await found?.next().catch(() => undefined)
        const state = first?.done === false && typeof first.value === 'string' ? first.value : 'building'
        return {
          state,
          found: (found ?? nothing()) as AsyncIterable<HitBatch>,
          match: async files => (await running()?.match({ files, wanted })) ?? [],
        }
      },
    }),
    async sizes(folder, wanted) {
      await startKept()
      if (!running()) return starting && UNKNOWN_SIZES
      return running()?.sizes({ folder, wanted })
    },
    async changed(path) {
      await starting
      await running()?.changed(path)
    },
    async listed(folder, read) {
      await running()?.listed({ folder, facts: read() })
    },
    async close() {
      isClosed = true
      await Promise.race([starting?.then(() => running()?.close()), pause(GRACE, undefined, { ref: false })])
    },
  }
}

async function* nothing() {}

async function* following(first: HitBatch, rest: AsyncGenerator<HitBatch>): AsyncGenerator<HitBatch> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

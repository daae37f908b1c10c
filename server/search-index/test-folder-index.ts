import { join } from 'node:path'
import { afterEach, vi } from 'vitest'
import { type DiskPlace, diskPlace, TEST_KEY } from '../storage/local/test-place.ts'
import { openLocal } from '../storage/local.ts'
import { openSearchIndex } from './open-index.ts'
import type { IndexEvent, IndexSettings } from './search-index.ts'
import type { Indexed } from './test-same.ts'

export type { Indexed } from './test-same.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** A place that is removed after the test. */
export async function place(): Promise<DiskPlace> {
  const made = await diskPlace('handles')
  open.push(made)
  return made
}

/** A store with an index that has not been started; closed after the test. */
export async function withIndex({ folder }: DiskPlace, more: Partial<IndexSettings> = {}): Promise<Indexed> {
  const events: IndexEvent[] = []
  const root = join(folder, 'inside')
  const plain = { watches: true, scanEvery: 60_000, texts: 'off', textsLimit: 2 ** 30 } as const
  const settings = { file: join(folder, 'index.names'), ...plain, ...more }
  const store = await openLocal({ root, stagingKey: TEST_KEY, confinement: 'handles' })
  const crawlable = { folder: root, level: 'handles', stagingKey: TEST_KEY } as const
  const index = openSearchIndex(settings, crawlable, event => events.push(event))
  open.push(index)
  return { store, index, events }
}

/** The same, when it has completed a scan. */
export async function indexed(here: DiskPlace, more: Partial<IndexSettings> = {}): Promise<Indexed> {
  const made = await withIndex(here, more)
  await made.index.want()
  await vi.waitUntil(() => made.events.some(({ event }) => event === 'complete'), { timeout: 60_000 })
  return made
}

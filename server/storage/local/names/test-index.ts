import { join } from 'node:path'
import { afterEach, vi } from 'vitest'
import type { StorageDriver } from '../../driver.ts'
import { openLocal } from '../../local.ts'
import { NamesKeeper } from '../../names/index-client.ts'
import type { IndexedPlace, NamesNews, NamesSettings } from '../../names/messages.ts'
import { type DiskPlace, diskPlace, TEST_KEY } from '../test-place.ts'

export interface Indexed {
  store: StorageDriver
  keeper: NamesKeeper
  news: NamesNews[]
}

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

/** Default settings of an index under test. */
export const PLAIN = { watches: true, lookEvery: 60_000, texts: 'off', textsLimit: 2 ** 30 } as const

/** A store whose name index has completed a full check; closed after the test. */
export async function indexed({ ground }: DiskPlace, more: Partial<NamesSettings> = {}): Promise<Indexed> {
  const news: NamesNews[] = []
  const file = join(ground, 'index.names')
  let made: NamesKeeper | undefined
  const names = (where: IndexedPlace) => {
    made = new NamesKeeper({ file, ...PLAIN, ...more }, where, event => news.push(event))
    return made
  }
  const store = await openLocal({ root: join(ground, 'inside'), stagingKey: TEST_KEY, confinement: 'handles', names })
  if (!made) throw new Error('no index was requested')
  const keeper = made
  open.push(keeper)
  keeper.want()
  await vi.waitUntil(() => news.some(event => event.news === 'complete'), { timeout: 60_000 })
  return { store, keeper, news }
}

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { p } from '../conformance/place.ts'
import type { StorageDriver } from '../driver.ts'
import { openLocal } from '../local.ts'
import { type DiskPlace, diskPlace, TEST_KEY } from './test-place.ts'

describe.each(['handles', 'names'] as const)('files sent by a proxy, held by %s', confinement => {
  let place: DiskPlace
  let store: StorageDriver
  beforeEach(async () => {
    place = await diskPlace(confinement)
    const root = `${place.folder}/inside`
    store = await openLocal({ root, stagingKey: TEST_KEY, confinement, followsOut: true, proxied: '/files/' })
    for (const path of ['inside/team/a b.txt', 'inside/caf\udce9?', 'outside/c.txt']) await place.plantFile(path, 'x')
    await place.plantLink('inside/alias', 'team')
    await place.plantLink('inside/out.txt', '../outside/c.txt')
  })
  afterEach(() => place.close())

  async function placeOf(path: string, from = store): Promise<string | undefined> {
    const file = await from.read(p(path))
    await file.close()
    return file.place
  }

  test('are located by their real path below the outermost root', async () => {
    expect(await placeOf('/team/a b.txt')).toBe('/files/team/a%20b.txt')
    expect(await placeOf('/alias/a b.txt')).toBe('/files/team/a%20b.txt')
    expect(await placeOf('/a b.txt', await store.within(p('/team')))).toBe('/files/team/a%20b.txt')
    expect(await placeOf('/caf\udce9?')).toBe('/files/caf%E9%3F')
  })

  test('do not lie behind a link out, and need a configured proxy', async () => {
    expect(await placeOf('/out.txt')).toBeUndefined()
    expect(await placeOf('/team/a b.txt', place.store)).toBeUndefined()
  })
})

import { expect, test } from 'vitest'
import type { StorageDriver } from '../driver.ts'
import { p, put, type TestPlace } from './place.ts'

const identityOf = async (store: StorageDriver, path: string) => (await store.stat(p(path)))?.identity

/** Longer than the coarsest clock a store may tell birth times with. */
const pause = () => new Promise(resolve => setTimeout(resolve, 25))

/** An object can be told from another that has its name. */
export function identitySuite(place: () => TestPlace): void {
  test('a file and a folder stay themselves when they are moved', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'a')
    const before = [await identityOf(store, '/docs'), await identityOf(store, '/docs/a.txt')]
    await store.move?.(p('/docs'), p('/papers'))
    await store.move?.(p('/papers/a.txt'), p('/papers/b.txt'))
    expect([await identityOf(store, '/papers'), await identityOf(store, '/papers/b.txt')]).toEqual(before)
  })

  test('a folder stays itself when its content changes', async () => {
    const { store } = place()
    await store.mkdir(p('/docs'))
    const before = await identityOf(store, '/docs')
    await put(store, '/docs/a.txt', 'a')
    await store.remove(p('/docs/a.txt'))
    expect(await identityOf(store, '/docs')).toBe(before)
  })

  test('a newcomer is another, whatever its name', async () => {
    const { store } = place()
    const seen = new Set<string | undefined>()
    for (let round = 0; round < 5; round++) {
      await put(store, '/docs/a.txt', 'a')
      seen.add(await identityOf(store, '/docs'))
      seen.add(await identityOf(store, '/docs/a.txt'))
      await store.remove(p('/docs'))
      await pause()
    }
    expect(seen.size).toBe(10)
  })
}

/** Of links. */
export function linkIdentitySuite(place: () => TestPlace): void {
  test('a link tells which object it leads to', async () => {
    await place().plantFile('inside/docs/a.txt', 'a')
    await place().plantLink('inside/link', 'docs/a.txt')
    const { store } = place()
    expect(await identityOf(store, '/link')).toBe(await identityOf(store, '/docs/a.txt'))
  })
}

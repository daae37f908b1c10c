import { expect, test } from 'vitest'
import type { StorageDriver } from '../driver.ts'
import { p, put, type TestPlace } from './place.ts'

const identityOf = async (store: StorageDriver, path: string) => (await store.stat(p(path)))?.identity

/** Longer than the coarsest clock of birth times. */
const pause = () => new Promise(resolve => setTimeout(resolve, 25))

/** An object can be distinguished from another of the same name. */
export function identitySuite(place: () => TestPlace): void {
  test('a file and a folder keep their identity when they are moved', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'a')
    const before = [await identityOf(store, '/docs'), await identityOf(store, '/docs/a.txt')]
    await store.move?.(p('/docs'), p('/papers'))
    await store.move?.(p('/papers/a.txt'), p('/papers/b.txt'))
    expect([await identityOf(store, '/papers'), await identityOf(store, '/papers/b.txt')]).toEqual(before)
  })

  test('a folder keeps its identity when its content changes', async () => {
    const { store } = place()
    await store.mkdir(p('/docs'))
    const before = await identityOf(store, '/docs')
    await put(store, '/docs/a.txt', 'a')
    await store.remove(p('/docs/a.txt'))
    expect(await identityOf(store, '/docs')).toBe(before)
  })

  test('a new object has another identity, whatever its name', async () => {
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

/** The identity of links. */
export function linkIdentitySuite(place: () => TestPlace): void {
  test('a link has the identity of its target', async () => {
    await place().plantFile('inside/docs/a.txt', 'a')
    await place().plantLink('inside/link', 'docs/a.txt')
    const { store } = place()
    expect(await identityOf(store, '/link')).toBe(await identityOf(store, '/docs/a.txt'))
  })
}

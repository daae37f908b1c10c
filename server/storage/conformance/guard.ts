import { expect, test } from 'vitest'
import { type FilePath, isWithin } from '../../../shared/path.ts'
import { listed, namesIn, p, put, refusal, refusalsOf, type TestPlace, textAt } from './place.ts'

const DENIED = ['forbidden', 'forbidden', 'forbidden', 'forbidden', 'forbidden']

const denying = (denied: string) => (canonical: FilePath) => !isWithin(canonical, p(denied))

/** A store whose guard refuses one folder. */
async function guarded(place: () => TestPlace) {
  const { store } = place()
  await put(store, '/deny/secret.txt', 'DENIED-91cc')
  await put(store, '/docs/private/p.txt', 'private')
  await put(store, '/docs/one.txt', 'one')
  return store.within(p('/'), denying('/deny'))
}

/** The guard decides on canonical paths, by whatever name they were reached. */
export function guardSuite(place: () => TestPlace): void {
  test('a refused path is refused whether or not it exists', async () => {
    const store = await guarded(place)
    for (const path of ['/deny', '/deny/secret.txt', '/deny/none', '/deny/none/deeper']) {
      expect(await refusalsOf(store, path), path).toEqual(DENIED)
      expect(await refusal(store.remove(p(path))), path).toBe('forbidden')
    }
    expect(await textAt(place().store, '/deny/secret.txt')).toBe('DENIED-91cc')
  })

  test('a listing leaves out what stat refuses', async () => {
    expect(await namesIn(await guarded(place))).toEqual(['docs'])
  })

  test('RULE-03 a tree that contains a refused path is neither removed nor moved', async () => {
    await guarded(place)
    const store = await place().store.within(p('/'), denying('/docs/private/p.txt'))
    expect(await refusal(store.remove(p('/docs')))).toBe('forbidden')
    expect(await refusal(Promise.resolve(store.move?.(p('/docs'), p('/d9'))))).toBe('forbidden')
    expect(await namesIn(place().store)).toEqual(['deny', 'docs'])
    expect(await namesIn(place().store, '/docs')).toEqual(['one.txt', 'private'])
    expect(await textAt(place().store, '/docs/private/p.txt')).toBe('private')
  })

  test('RULE-03 a move to a path where its content would be refused is refused', async () => {
    await guarded(place)
    const store = await place().store.within(p('/'), denying('/d9/private'))
    expect(await refusal(Promise.resolve(store.move?.(p('/docs'), p('/d9'))))).toBe('forbidden')
    expect(await namesIn(place().store)).toEqual(['deny', 'docs'])
  })

  test('no folder is made on the way to a refused path', async () => {
    const store = await place().store.within(p('/'), denying('/a/b/c'))
    expect(await refusal(put(store, '/a/b/c/d.txt', 'x'))).toBe('forbidden')
    expect(await refusal(store.mkdir(p('/a/b/c')))).toBe('forbidden')
    expect(await listed(place().store)).toEqual([])
  })

  test('the guard is asked with paths below the new root', async () => {
    await put(place().store, '/home/alice/a.txt', 'a')
    const asked = new Set<string>()
    const store = await place().store.within(p('/home'), path => asked.add(path).size > 0)
    await store.stat(p('/alice/a.txt'))
    expect(asked).toContain('/alice/a.txt')
    expect([...asked].filter(path => path.includes('home'))).toEqual([])
  })

  test('a guarded store stays guarded within itself', async () => {
    await put(place().store, '/home/alice/a.txt', 'a')
    const guarded = await place().store.within(p('/home'), denying('/alice/a.txt'))
    const inner = await guarded.within(p('/alice'))
    expect(await refusal(inner.read(p('/a.txt')))).toBe('forbidden')
    expect(await refusal(guarded.within(p('/alice/a.txt')))).toBe('forbidden')
  })
}

/** Links do not bypass the guard. */
export function linkGuardSuite(place: () => TestPlace): void {
  test('a refused path cannot be reached through a link', async () => {
    const store = await guarded(place)
    await place().plantLink('inside/in', 'deny/secret.txt')
    await place().plantLink('inside/dir', 'deny')
    for (const path of ['/in', '/dir', '/dir/secret.txt', '/dir/none']) {
      expect(await refusalsOf(store, path), path).toEqual(DENIED)
    }
    expect(await place().names('inside/deny')).toEqual(['secret.txt'])
    expect(await textAt(place().store, '/deny/secret.txt')).toBe('DENIED-91cc')
  })

  test('a listing leaves out links to what stat refuses', async () => {
    const store = await guarded(place)
    await place().plantLink('inside/in', 'deny/secret.txt')
    expect(await namesIn(store)).toEqual(['docs'])
  })

  test('a link to a refused path can still be removed by its own name', async () => {
    const store = await guarded(place)
    await place().plantLink('inside/in', 'deny/secret.txt')
    await store.remove(p('/in'))
    expect(await place().names('inside')).toEqual(['deny', 'docs'])
  })
}

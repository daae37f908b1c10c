import { beforeEach, expect, test } from 'vitest'
import { type FilePath, isWithin } from '../../../shared/path.ts'
import { add, begin, listed, MARKER, namesIn, p, publish, put, refusal, type TestPlace, textAt } from './place.ts'

/** Stores that follow links out: the target lies at the canonical path of the link, and is subject to its rules. */
export function openLinkSuite(place: () => TestPlace): void {
  const denying = (denied: string) => (canonical: FilePath) => !isWithin(canonical, p(denied))

  beforeEach(async () => {
    await place().plantFile('outside/marker.txt', MARKER)
    await place().plantLink('inside/out', '../outside')
    await place().plantLink('inside/file', '../outside/marker.txt')
  })

  test('a link out is described as its target, also in listings', async () => {
    const { store } = place()
    await place().plantLink('inside/second', 'out')
    expect(await store.stat(p('/out'))).toMatchObject({ kind: 'folder', isLink: true, canonical: '/out' })
    expect(await store.stat(p('/second'))).toMatchObject({ kind: 'folder', isLink: true, canonical: '/second' })
    expect(await store.stat(p('/file'))).toMatchObject({ kind: 'file', isLink: true, canonical: '/file' })
    const there = { kind: 'file', isLink: false, canonical: '/out/marker.txt', size: MARKER.length }
    expect(await store.stat(p('/out/marker.txt'))).toMatchObject(there)
    for (const path of ['/', '/out']) {
      for (const entry of await listed(store, path)) expect(await store.stat(entry.path)).toEqual(entry)
    }
    expect(await namesIn(store, '/out')).toEqual(['marker.txt'])
    expect(await textAt(store, '/file')).toBe(MARKER)
    expect(await textAt(store, '/second/marker.txt')).toBe(MARKER)
    expect(await store.stat(p('/out/none'))).toBeUndefined()
  })

  test('a write behind a link changes the target, and the link stays', async () => {
    const { store } = place()
    await put(store, '/file', 'two')
    await put(store, '/out/deep/er/new.txt', 'new')
    await store.mkdir(p('/out/made'))
    expect(await place().content('outside/marker.txt')).toBe('two')
    expect(await place().content('outside/deep/er/new.txt')).toBe('new')
    expect(await place().names('outside')).toEqual(['deep', 'made', 'marker.txt'])
    expect((await store.stat(p('/file')))?.isLink).toBe(true)
    expect(await refusal(put(store, '/file', 'three', { ifAbsent: true }))).toBe('exists')
  })

  test('a staged upload is published behind a link', async () => {
    const { store } = place()
    const staged = await begin(store, p('/out/slow.txt'))
    await add(store, staged, 0, 'slow')
    await publish(store, staged, p('/out/slow.txt'), { length: 4 })
    expect(await place().names('outside')).toEqual(['marker.txt', 'slow.txt'])
  })

  test('files are moved and removed behind a link, and a link is removed alone', async () => {
    const { store } = place()
    await put(store, '/out/docs/a.txt', 'a')
    await store.move?.(p('/out/docs'), p('/docs'))
    expect(await textAt(store, '/docs/a.txt')).toBe('a')
    await store.remove(p('/file'))
    expect(await place().content('outside/marker.txt')).toBe(MARKER)
    await store.remove(p('/out/marker.txt'))
    expect(await place().names('outside')).toEqual([])
    await store.remove(p('/out'))
    expect(await namesIn(store)).toEqual(['docs'])
  })

  test('the guard receives the path of the link, by whatever name it was reached', async () => {
    await put(place().store, '/docs/one.txt', 'one')
    await place().plantLink('inside/docs/deep', '../../outside')
    await place().plantLink('inside/again', 'docs')
    const store = await place().store.within(p('/'), denying('/docs/deep/marker.txt'))
    for (const path of ['/docs/deep/marker.txt', '/again/deep/marker.txt']) {
      expect(await refusal(store.read(p(path))), path).toBe('forbidden')
      expect(await refusal(store.remove(p(path))), path).toBe('forbidden')
    }
    expect(await namesIn(store, '/again/deep')).toEqual([])
    expect(await textAt(store, '/out/marker.txt')).toBe(MARKER)
  })

  test('a link from outside back in has the path and the rules of its target', async () => {
    await put(place().store, '/deny/secret.txt', 'secret')
    await place().plantLink('outside/back', '../inside/deny')
    const store = await place().store.within(p('/'), denying('/deny'))
    expect(await place().store.stat(p('/out/back/secret.txt'))).toMatchObject({ canonical: '/deny/secret.txt' })
    expect(await refusal(store.read(p('/out/back/secret.txt')))).toBe('forbidden')
    expect(await refusal(put(store, '/out/back/new.txt', 'x'))).toBe('forbidden')
    expect(await namesIn(store, '/out')).toEqual(['marker.txt'])
  })

  test('a store within a folder follows links out of it, and its folder may lie behind a link', async () => {
    const { store } = place()
    await put(store, '/bob/b.txt', 'his')
    await store.mkdir(p('/alice'))
    await place().plantLink('inside/alice/to-bob', '../bob')
    const alice = await store.within(p('/alice'))
    expect(await textAt(alice, '/to-bob/b.txt')).toBe('his')
    expect(await refusal(alice.remove(p('/')))).toBe('forbidden')
    expect(await textAt(await store.within(p('/out')), '/marker.txt')).toBe(MARKER)
  })
}

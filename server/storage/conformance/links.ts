import { beforeEach, describe, expect, test } from 'vitest'
import { listed, MARKER, namesIn, p, put, refusal, refusalsOf, type TestPlace, textAt } from './place.ts'

const REFUSED = ['outside_scope', 'outside_scope', 'outside_scope', 'outside_scope']

/** Links are followed while they stay inside; a dangling link is an object of its own. */
export function linkSuite(place: () => TestPlace): void {
  beforeEach(() => place().plantFile('outside/marker.txt', MARKER))

  test('a link that stays inside is described as its target, with the canonical path', async () => {
    const { store } = place()
    await put(store, '/docs/one.txt', 'one')
    await place().plantLink('inside/file', 'docs/one.txt')
    await place().plantLink('inside/dir', 'docs')
    const real = await store.stat(p('/docs/one.txt'))
    expect(await store.stat(p('/file'))).toEqual({ ...real, name: 'file', path: '/file', isLink: true })
    expect(await store.stat(p('/dir/one.txt'))).toEqual({ ...real, path: '/dir/one.txt' })
    expect(await store.stat(p('/dir'))).toMatchObject({ kind: 'folder', canonical: '/docs', isLink: true })
    expect(await textAt(store, '/file')).toBe('one')
    expect(await listed(store, '/dir')).toEqual([{ ...real, path: '/dir/one.txt' }])
  })

  test('a listing describes a link as stat does', async () => {
    const { store } = place()
    await put(store, '/docs/one.txt', 'one')
    for (const [name, target] of LINKS) await place().plantLink(`inside/${name}`, target)
    for (const entry of await listed(store)) expect(await store.stat(entry.path)).toEqual(entry)
    expect(await namesIn(store)).toEqual([...LINKS.map(([name]) => name), 'docs'].sort())
  })

  test('writing through a link replaces the file it leads to, and the link stays', async () => {
    const { store } = place()
    await put(store, '/docs/one.txt', 'one')
    await place().plantLink('inside/file', 'docs/one.txt')
    const entry = await put(store, '/file', 'two')
    expect(entry).toMatchObject({ path: '/file', canonical: '/docs/one.txt', isLink: true })
    expect(await textAt(store, '/docs/one.txt')).toBe('two')
    expect((await store.stat(p('/file')))?.isLink).toBe(true)
  })

  test('a new file goes to the canonical path of its folder', async () => {
    const { store } = place()
    await store.mkdir(p('/docs'))
    await place().plantLink('inside/dir', 'docs')
    expect(await put(store, '/dir/new.txt', 'new')).toMatchObject({ canonical: '/docs/new.txt', isLink: false })
    expect(await textAt(store, '/docs/new.txt')).toBe('new')
  })

  describe.each([
    ['a link to nowhere outside', '../outside/new.txt'],
    ['a link to nowhere inside', 'none'],
    ['a link to itself', 'door'],
  ])('%s', (_, target) => closedLink(place, target))

  test('removing a link keeps its target', async () => {
    const { store } = place()
    await put(store, '/docs/one.txt', 'one')
    await place().plantLink('inside/file', 'docs/one.txt')
    await place().plantLink('inside/dir', 'docs')
    await store.remove(p('/file'))
    await store.remove(p('/dir'))
    expect(await namesIn(store)).toEqual(['docs'])
    expect(await textAt(store, '/docs/one.txt')).toBe('one')
  })

  test('removing a tree removes the links in it and keeps their targets', async () => {
    const { store } = place()
    await put(store, '/docs/one.txt', 'one')
    await store.mkdir(p('/tree/sub'))
    await place().plantLink('inside/tree/sub/in', '../../docs')
    await place().plantLink('inside/tree/sub/out', '../../../outside')
    await store.remove(p('/tree'))
    expect(await namesIn(store)).toEqual(['docs'])
    expect(await textAt(store, '/docs/one.txt')).toBe('one')
    expect(await place().content('outside/marker.txt')).toBe(MARKER)
  })

  test('a moved link is still a link', async () => {
    const { store } = place()
    await put(store, '/docs/one.txt', 'one')
    await place().plantLink('inside/file', 'docs/one.txt')
    await store.move?.(p('/file'), p('/moved'))
    expect(await store.stat(p('/moved'))).toMatchObject({ isLink: true, canonical: '/docs/one.txt' })
    expect(await store.stat(p('/file'))).toBeUndefined()
  })
}

/** No data leaves or enters the root through links. */
export function closedLinkSuite(place: () => TestPlace): void {
  beforeEach(() => place().plantFile('outside/marker.txt', MARKER))

  describe.each([
    ['a link out to a file', '../outside/marker.txt'],
    ['a link out to a folder', '../outside'],
    ['a link above the root', '..'],
    ['a link to a link out', 'second'],
    ['a link out to a name that is not UTF-8', '../outside/caf\udce9'],
  ])('%s', (_, target) => closedLink(place, target))

  test('beyond a link out, existing and missing paths are refused alike', async () => {
    await place().plantLink('inside/out', '../outside')
    for (const path of ['/out/marker.txt', '/out/none', '/out/none/deeper', '/out/marker.txt/below']) {
      expect(await refusalsOf(place().store, path), path).toEqual(['outside_scope', ...REFUSED])
      expect(await refusal(place().store.remove(p(path))), path).toBe('outside_scope')
    }
    expect(await place().names('outside')).toEqual(['marker.txt'])
  })

  test('a store within a folder is confined to it', async () => {
    const { store } = place()
    await put(store, '/alice/a.txt', 'hers')
    await put(store, '/bob/b.txt', MARKER)
    await place().plantLink('inside/alice/to-bob', '../bob')
    await place().plantLink('inside/alice/to-file', '../bob/b.txt')
    await place().plantLink('inside/alice/to-self', '../alice/a.txt')
    const alice = await store.within(p('/alice'))
    expect(await refusalsOf(alice, '/to-bob/b.txt')).toEqual(['outside_scope', ...REFUSED])
    expect(await refusalsOf(alice, '/to-file')).toEqual(['done', ...REFUSED])
    expect(await alice.stat(p('/to-self'))).toMatchObject({ kind: 'file', canonical: '/a.txt' })
    expect(await textAt(store, '/bob/b.txt')).toBe(MARKER)
  })

  test('PATH-11 a sibling whose name starts the same is not inside', async () => {
    const { store } = place()
    await store.mkdir(p('/alice'))
    await put(store, '/alice2/b.txt', MARKER)
    await place().plantLink('inside/alice/next', '../alice2')
    const alice = await store.within(p('/alice'))
    expect(await refusal(alice.read(p('/next/b.txt')))).toBe('outside_scope')
  })
}

/** A link that must not be followed. */
function closedLink(place: () => TestPlace, target: string): void {
  beforeEach(async () => {
    await place().plantLink('inside/door', target)
    await place().plantLink('inside/second', '../outside')
  })

  test('is listed, described as the link itself', async () => {
    const expected = { name: 'door', kind: 'link', isLink: true, canonical: '/door' }
    expect(await place().store.stat(p('/door'))).toMatchObject(expected)
    expect((await listed(place().store)).find(entry => entry.name === 'door')).toMatchObject(expected)
  })

  test('cannot be passed', async () => {
    const { store } = place()
    expect(await refusalsOf(store, '/door')).toEqual(['done', ...REFUSED])
    expect(await refusal(store.mkdir(p('/door')))).toBe('outside_scope')
    expect(await refusal(store.within(p('/door')))).toBe('outside_scope')
    expect(await place().names('outside')).toEqual(['marker.txt'])
    expect(await place().content('outside/marker.txt')).toBe(MARKER)
  })

  test('is removed alone', async () => {
    await place().store.remove(p('/door'))
    expect(await namesIn(place().store)).toEqual(['second'])
    expect(await place().content('outside/marker.txt')).toBe(MARKER)
  })
}

const LINKS = [
  ['file', 'docs/one.txt'],
  ['dir', 'docs'],
  ['out', '../outside'],
  ['loop', 'loop'],
  ['nowhere', 'none'],
] as const

import { expect, test } from 'vitest'
import type { KeptNote, KeptThings, StorageDriver } from '../driver.ts'
import { p, put, servedAt, type TestPlace } from './place.ts'

const note: KeptNote = { id: '01jd2m8w3k6p9qrs4t5v7x0yza', username: 'anna', deletedAt: Date.UTC(2026, 10, 23, 9) }

function keptOf(store: StorageDriver): KeptThings {
  if (!store.kept) throw new Error('this store keeps nothing')
  return store.kept
}

async function keep(store: StorageDriver, path: string, id = note.id) {
  const planned = await keptOf(store).plan(p(path), id)
  await keptOf(store).setAside(p(path), planned, { ...note, id })
  return planned
}

const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    thrown => thrown.code,
  )

/** Deleted things leave their place whole, and return whole. */
export function keptSuite(place: () => TestPlace): void {
  test('a tree leaves its place, and comes back with its names, contents, times and identity', async () => {
    const { store } = place()
    await put(store, '/docs/deep/a.txt', 'content')
    const before = [await store.stat(p('/docs')), await store.stat(p('/docs/deep/a.txt'))]
    const { at, was, place: had } = await keep(store, '/docs')
    expect([was.kind, was.identity, had]).toEqual(['folder', before[0]?.identity, servedAt(place(), '/docs')])
    expect(await store.stat(p('/docs'))).toBeUndefined()
    expect((await keptOf(store).look(at))?.identity).toBe(was.identity)
    await keptOf(store).bringBack(at, p('/docs'), { as: p('/docs') })
    const after = [await store.stat(p('/docs')), await store.stat(p('/docs/deep/a.txt'))]
    expect(after.map(entry => [entry?.identity, entry?.modified, entry?.mode])).toEqual(
      before.map(entry => [entry?.identity, entry?.modified, entry?.mode]),
    )
    expect(await place().content('inside/docs/deep/a.txt')).toBe('content')
    expect(await keptOf(store).look(at)).toBeUndefined()
  })

  test('things of one name are kept beside each other', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'one')
    const one = await keep(store, '/a.txt', '01aaaaaaaaaaaaaaaaaaaaaaaa')
    await put(store, '/a.txt', 'two')
    const two = await keep(store, '/a.txt', '01bbbbbbbbbbbbbbbbbbbbbbbb')
    await keptOf(store).bringBack(one.at, p('/one.txt'), { as: p('/a.txt') })
    await keptOf(store).bringBack(two.at, p('/two.txt'), { as: p('/a.txt') })
    expect([await place().content('inside/one.txt'), await place().content('inside/two.txt')]).toEqual(['one', 'two'])
  })

  test('nothing that stands at a path gives way to a kept thing', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'old')
    await store.mkdir(p('/docs'))
    const file = await keep(store, '/a.txt', '01aaaaaaaaaaaaaaaaaaaaaaaa')
    const folder = await keep(store, '/docs', '01bbbbbbbbbbbbbbbbbbbbbbbb')
    await put(store, '/a.txt', 'new')
    await put(store, '/docs/b.txt', 'new')
    expect(await codeOf(keptOf(store).bringBack(file.at, p('/a.txt'), { as: p('/a.txt') }))).toBe('exists')
    expect(await codeOf(keptOf(store).bringBack(folder.at, p('/docs'), { as: p('/docs') }))).toBe('exists')
    expect(await place().content('inside/a.txt')).toBe('new')
    expect(await keptOf(store).look(file.at)).toBeDefined()
    expect(await keptOf(store).look(folder.at)).toBeDefined()
  })

  test('one entry of a kept tree comes back, the others stay', async () => {
    const { store } = place()
    await put(store, '/docs/deep/a.txt', 'a')
    await put(store, '/docs/deep/b.txt', 'b')
    const { at } = await keep(store, '/docs')
    await keptOf(store).bringBack(at, p('/a.txt'), { inner: p('/deep/a.txt'), as: p('/docs/deep/a.txt') })
    expect(await place().content('inside/a.txt')).toBe('a')
    const view = await keptOf(store).open(at, () => true)
    expect(await view.stat(p(`/${at.name}/deep/a.txt`))).toBeUndefined()
    expect((await view.stat(p(`/${at.name}/deep/b.txt`)))?.size).toBe(1)
    const missing = { inner: p('/deep/c.txt'), as: p('/docs/deep/c.txt') }
    expect(await codeOf(keptOf(store).bringBack(at, p('/c.txt'), missing))).toBe('not_found')
  })

  test('another object than the planned one stays where it is (TRASH-08)', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'old')
    await put(store, '/b.txt', 'new')
    const planned = await keptOf(store).plan(p('/a.txt'), note.id)
    await store.remove(p('/a.txt'))
    await store.move?.(p('/b.txt'), p('/a.txt'))
    expect(await codeOf(keptOf(store).setAside(p('/a.txt'), planned, note))).toBe('not_found')
    expect(await place().content('inside/a.txt')).toBe('new')
    expect(await keptOf(store).look(planned.at)).toBeUndefined()
  })

  test('a view of a kept tree is confined to it, and its guard is asked about paths inside', async () => {
    const { store } = place()
    await put(store, '/docs/open.txt', 'open')
    await put(store, '/docs/secret.txt', 'secret')
    await put(store, '/other.txt', 'other')
    const docs = await keep(store, '/docs', '01aaaaaaaaaaaaaaaaaaaaaaaa')
    const other = await keep(store, '/other.txt', '01bbbbbbbbbbbbbbbbbbbbbbbb')
    const view = await keptOf(store).open(docs.at, inner => inner !== '/secret.txt')
    expect(await codeOf(view.stat(p(`/${docs.at.name}/secret.txt`)))).toBe('forbidden')
    expect(await codeOf(view.stat(p(`/${other.at.name}`)))).toBe('forbidden')
    const names: string[] = []
    for await (const batch of view.list(p(`/${docs.at.name}`))) names.push(...batch.map(({ name }) => name))
    expect(names).toEqual(['open.txt'])
  })

  test('a store within a folder keeps things under their place in the served root', async () => {
    const { store } = place()
    await put(store, '/alice/a.txt', 'a')
    const own = await store.within(p('/alice'))
    expect((await keep(own, '/a.txt')).place).toBe(servedAt(place(), '/alice/a.txt'))
  })

  test('what a guard denies is neither kept nor brought back', async () => {
    const { store } = place()
    await put(store, '/docs/secret.txt', 'secret')
    const guarded = await store.within(p('/'), path => !path.endsWith('secret.txt'))
    expect(await codeOf(keep(guarded, '/docs'))).toBe('forbidden')
    const { at } = await keep(store, '/docs')
    expect(await codeOf(keptOf(guarded).bringBack(at, p('/papers'), { as: p('/docs') }))).toBe('forbidden')
    expect(await keptOf(store).look(at)).toBeDefined()
  })

  test('what is dropped is gone, also the second time', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'a')
    const { at } = await keep(store, '/docs')
    await keptOf(store).drop(at)
    await keptOf(store).drop(at)
    await keptOf(store).clear(at)
    expect(await keptOf(store).look(at)).toBeUndefined()
    expect(await codeOf(keptOf(store).bringBack(at, p('/docs'), { as: p('/docs') }))).toBe('not_found')
  })

  test('kept things are found again by what is written beside them (TRASH-14)', async () => {
    const { store } = place()
    await put(store, '/docs/50 % & "more"\u{1f600}.txt', 'a')
    const { at, was } = await keep(store, '/docs/50 % & "more"\u{1f600}.txt')
    const found = []
    for await (const one of keptOf(store).find(at)) found.push(one)
    expect(found.map(one => [one.at, one.was.identity])).toEqual([[at, was.identity]])
    expect(found[0]?.note).toEqual({ ...note, place: servedAt(place(), '/docs/50 % & "more"\u{1f600}.txt') })
  })

  test('the place of kept things is neither listed nor found, and no path leads into it (TRASH-11)', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'a')
    const { at } = await keep(store, '/a.txt')
    const names: string[] = []
    for await (const batch of store.list(p('/'))) names.push(...batch.map(({ name }) => name))
    expect(names).toEqual([])
    const own = await place().names('inside')
    for (const name of own) expect(await store.stat(p(`/${name}`))).toBeUndefined()
    // A store may keep a user's own item of that name elsewhere.
    for (const name of own) {
      await put(store, `/${name}/trash/files/x`, 'x').catch(() => {})
      await store.mkdir(p(`/${name}/x`)).catch(() => {})
      await store.remove(p(`/${name}`)).catch(() => {})
    }
    const found: string[] = []
    for await (const one of keptOf(store).find(at)) found.push(one.at.name)
    expect([found, (await keptOf(store).look(at))?.size]).toEqual([[at.name], 1])
    expect(await place().names('inside')).toEqual(own)
  })

  test('the root is never kept', async () => {
    expect(await codeOf(keptOf(place().store).plan(p('/'), note.id))).toBe('forbidden')
  })
}

/** Links are kept themselves. */
export function linkKeptSuite(place: () => TestPlace): void {
  test('a link is kept and brought back as a link; its target stays', async () => {
    const { store } = place()
    await place().plantFile('inside/a.txt', 'a')
    await place().plantLink('inside/link', 'a.txt')
    const { at, was } = await keep(store, '/link')
    expect(was.kind).toBe('link')
    expect(await place().content('inside/a.txt')).toBe('a')
    await keptOf(store).bringBack(at, p('/link'), { as: p('/link') })
    expect((await store.stat(p('/link')))?.isLink).toBe(true)
  })

  test('a view of a kept tree follows no link out of it', async () => {
    const { store } = place()
    await place().plantFile('outside/secret.txt', 'secret')
    await place().plantFile('inside/docs/a.txt', 'a')
    await place().plantLink('inside/docs/out', '../../outside')
    const { at } = await keep(store, '/docs')
    const view = await keptOf(store).open(at, () => true)
    expect(await codeOf(view.read(p(`/${at.name}/out/secret.txt`)))).not.toBe('done')
  })
}

import { expect, test } from 'vitest'
import { listed, namesIn, p, put, refusal, type TestPlace, textAt } from './place.ts'

/** Creating, removing and moving folders. */
export function folderSuite(place: () => TestPlace): void {
  test('making a folder makes its parents, and making it again succeeds', async () => {
    const { store } = place()
    await store.mkdir(p('/a/b/c'))
    await put(store, '/a/b/c/kept.txt', 'kept')
    await store.mkdir(p('/a/b/c'))
    await store.mkdir(p('/'))
    expect(await namesIn(store, '/a/b/c')).toEqual(['kept.txt'])
  })

  test('a folder gets the requested permission bits, and stays open to its owner', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'a')
    const bits = async () => (await store.stat(p('/docs')))?.mode
    await store.disk?.setMode(p('/docs'), 0o40775)
    if (store.disk) expect(await bits()).toBe(0o775)
    await store.disk?.setMode(p('/docs'), 0o055)
    if (store.disk) expect(await bits()).toBe(0o755)
    await put(store, '/docs/b.txt', 'b')
    if (store.disk) expect(await refusal(store.disk.setMode(p('/none'), 0o700))).toBe('not_found')
    expect(await namesIn(store, '/docs')).toEqual(['a.txt', 'b.txt'])
  })

  test('files and folders get the requested time, and keep their content', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'a')
    for (const [path, modified] of [
      ['/docs/a.txt', 1_500_000_000_250],
      ['/docs', -86_400_000],
    ] as const) {
      await store.disk?.setTime(p(path), modified)
      if (store.disk) expect((await store.stat(p(path)))?.modified).toBeCloseTo(modified, 0)
    }
    if (store.disk) expect(await refusal(store.disk.setTime(p('/docs/none'), 0))).toBe('not_found')
    expect(await textAt(store, '/docs/a.txt')).toBe('a')
  })

  test('a folder is not made over or below a file', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'a')
    expect(await refusal(store.mkdir(p('/a.txt')))).toBe('exists')
    expect(await refusal(store.mkdir(p('/a.txt/b')))).toBe('not_a_folder')
    expect(await refusal(store.mkdir(p('/a.txt/b/c')))).toBe('not_a_folder')
  })

  test('removing a file removes only that file', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'a')
    await put(store, '/docs/b.txt', 'b')
    await store.remove(p('/docs/a.txt'))
    expect(await namesIn(store, '/docs')).toEqual(['b.txt'])
  })

  test('removing a folder removes all of it and none of its siblings', async () => {
    const { store } = place()
    for (const path of ['/docs/a', '/docs/x/y/z/b', '/docs/x/c', '/docs-2/d', '/.hidden']) await put(store, path, path)
    await store.mkdir(p('/docs/empty/er'))
    await store.remove(p('/docs'))
    expect(await store.stat(p('/docs'))).toBeUndefined()
    expect(await namesIn(store)).toEqual(['.hidden', 'docs-2'])
    expect(await textAt(store, '/docs-2/d')).toBe('/docs-2/d')
  })

  test('HIST-01 only the object that the caller knows is removed where it says so', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'old')
    const [docs, known] = await Promise.all([store.stat(p('/docs')), store.stat(p('/docs/a.txt'))])
    if (!docs || !known) throw new Error('nothing is there')
    expect(await refusal(store.remove(p('/docs'), { exactly: docs }))).toBe('unavailable')
    await put(store, '/docs/a.txt', 'newer', { ifMatch: '*' })
    expect(await refusal(store.remove(p('/docs/a.txt'), { exactly: known }))).toBe('not_found')
    expect(await textAt(store, '/docs/a.txt')).toBe('newer')
    const now = await store.stat(p('/docs/a.txt'))
    if (now) await store.remove(p('/docs/a.txt'), { exactly: now })
    expect(await namesIn(store, '/docs')).toEqual([])
    await store.remove(p('/docs'), { exactly: docs })
    expect(await namesIn(store)).toEqual([])
  })

  test('a tree three hundred levels deep is removed', async () => {
    const { store } = place()
    await put(store, `/deep${'/d'.repeat(300)}/a.txt`, 'deep')
    await store.remove(p('/deep'))
    expect(await namesIn(store)).toEqual([])
  })

  test('the root is not removed', async () => {
    const { store } = place()
    await put(store, '/docs/a.txt', 'a')
    expect(await refusal(store.remove(p('/')))).toBe('forbidden')
    const inner = await store.within(p('/docs'))
    expect(await refusal(inner.remove(p('/')))).toBe('forbidden')
    expect(await textAt(store, '/docs/a.txt')).toBe('a')
  })

  test('a file and a folder are moved with their content', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'a')
    await put(store, '/docs/x/b.txt', 'b')
    await store.mkdir(p('/goal'))
    await store.move?.(p('/a.txt'), p('/goal/c.txt'))
    await store.move?.(p('/docs'), p('/goal/docs'))
    expect(await namesIn(store)).toEqual(['goal'])
    expect(await textAt(store, '/goal/c.txt')).toBe('a')
    expect(await textAt(store, '/goal/docs/x/b.txt')).toBe('b')
  })

  test('moving replaces nothing', async () => {
    const { store } = place()
    for (const path of ['/a.txt', '/b.txt', '/docs/c.txt']) await put(store, path, path)
    await store.mkdir(p('/empty'))
    for (const [from, to] of [
      ['/a.txt', '/b.txt'],
      ['/a.txt', '/docs'],
      ['/a.txt', '/a.txt'],
      ['/docs', '/b.txt'],
      ['/docs', '/empty'],
      ['/docs', '/docs'],
      ['/docs', '/'],
    ] as const) {
      expect(await refusal(Promise.resolve(store.move?.(p(from), p(to)))), `${from} to ${to}`).toBe('exists')
    }
    expect(await namesIn(store)).toEqual(['a.txt', 'b.txt', 'docs', 'empty'])
    expect(await textAt(store, '/b.txt')).toBe('/b.txt')
  })

  test('a folder is not moved into itself', async () => {
    const { store } = place()
    await put(store, '/docs/x/a.txt', 'a')
    expect(await refusal(Promise.resolve(store.move?.(p('/docs'), p('/docs/x/docs'))))).toBe('bad_request')
    expect(await namesIn(store, '/docs/x')).toEqual(['a.txt'])
  })

  test('a missing source and a missing target folder are refused', async () => {
    const { store } = place()
    await put(store, '/a.txt', 'a')
    expect(await refusal(Promise.resolve(store.move?.(p('/none'), p('/b'))))).toBe('not_found')
    expect(await refusal(Promise.resolve(store.move?.(p('/a.txt'), p('/none/b'))))).toBe('not_found')
    expect(await listed(store)).toHaveLength(1)
  })
}

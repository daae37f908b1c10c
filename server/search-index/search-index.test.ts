import { existsSync } from 'node:fs'
import { appendFile, link, mkdir, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../shared/path.ts'
import { findNames, type SearchContext } from '../files/find.ts'
import { policyFor } from '../files/policy.ts'
import { nativePath } from '../storage/local/native-path.ts'
import { indexed, place, withIndex } from './test-folder-index.ts'
import { ACTOR, dice, expectSame, foundBy, live, NAMES, POLICIES, rule, totalsOf } from './test-same.ts'

/** Makes a random change, as another program would. */
async function changeSomething(root: string, roll: (below: number) => number): Promise<void> {
  const path = () => {
    const names = Array.from({ length: 1 + roll(3) }, () => NAMES[roll(NAMES.length)] ?? 'a')
    return nativePath([root, ...names].join('/'))
  }
  const operations = [
    () => mkdir(path(), { recursive: true }),
    () => mkdir(path(), { recursive: true }),
    () => writeFile(path(), 'x'.repeat(roll(100))),
    () => writeFile(path(), 'x'.repeat(roll(100))),
    () => appendFile(path(), 'more'),
    () => truncate(path(), roll(10)),
    () => rename(path(), path()),
    () => rm(path(), { recursive: true }),
    () => symlink(NAMES[roll(NAMES.length)] ?? 'a', path()),
  ]
  // Many operations cannot succeed.
  await operations[roll(operations.length)]?.().catch(() => {})
}

describe('an index of names', () => {
  test('lists the same as a walk after any change by other programs', async () => {
    const here = await place()
    const root = join(here.folder, 'inside')
    const roll = dice(20_261_121)
    for (let count = 0; count < 200; count++) await changeSomething(root, roll)
    const index = await indexed(here)
    await expectSame(index)
    for (let round = 0; round < 25; round++) {
      for (let count = 0; count < 20; count++) await changeSomething(root, roll)
      await expectSame(index)
    }
  })

  test('finds words of any length anywhere in a name, ignoring case', async () => {
    const here = await place()
    for (const name of ['Report.pdf', 'reports/old REPORT', 'x', 'Ωμέγας', 'ab', 'b\udcffcd', '100%\udcff']) {
      await here.plantFile(`inside/${name}`, '')
    }
    const index = await indexed(here)
    expect(await foundBy(index, 'eport')).toEqual(['/Report.pdf', '/reports'])
    expect(await foundBy(index, 'REPORT')).toEqual(['/reports/old REPORT'])
    for (const [word, path] of [
      ['x', '/x'],
      ['ab', '/ab'],
      ['γας', '/Ωμέγας'],
      ['ffcd', undefined],
      ['\udcffcd', '/b\udcffcd'],
      ['0%', '/100%\udcff'],
    ] as const) {
      expect(await foundBy(index, word), word).toEqual(path === undefined ? [] : [path])
    }
    for (const word of ['a/b', 'a\0b', '""', 'x'.repeat(1000)]) expect(await foundBy(index, word)).toEqual([])
    const pairs = Array.from({ length: 64 }, (_, index) => `q${index}`)
    expect(await foundBy(index, ...pairs, 'ab')).toEqual(['/ab'])
    expect(await foundBy(index, 'pdf', 'old')).toEqual(['/Report.pdf', '/reports/old REPORT'])
  })

  test('finds common and rare names alike in a wide folder', async () => {
    const here = await place()
    for (let number = 0; number < 3000; number++) await writeFile(join(here.folder, 'inside', `file ${number}`), '')
    const index = await indexed(here)
    expect(await foundBy(index, 'file')).toHaveLength(3000)
    expect(await foundBy(index, '2999')).toEqual(['/file 2999'])
    await writeFile(join(here.folder, 'inside', 'file 2999b'), '')
    expect(await foundBy(index, '2999')).toEqual(['/file 2999', '/file 2999b'])
    await expectSame(index)
  })

  test('picks up changes made while it was not running', async () => {
    const here = await place()
    await here.plantFile('inside/a/b/old', '')
    const first = await indexed(here)
    await first.index.close()
    await rename(join(here.folder, 'inside/a/b'), join(here.folder, 'inside/c'))
    await here.plantFile('inside/c/new', '')
    await expectSame(await indexed(here))
  })

  test('picks up our own changes where the system notifies of nothing, also through a link', async () => {
    const here = await place()
    await mkdir(join(here.folder, 'inside/real'))
    await here.plantLink('inside/alias', 'real')
    const index = await indexed(here, { watches: false })
    await here.plantFile('inside/real/new/er/thing', '')
    await index.index.changed('/alias/new/er/thing' as typeof ROOT)
    await expectSame(index)
    await rm(join(here.folder, 'inside/real/new'), { recursive: true })
    await index.index.changed('/real/new' as typeof ROOT)
    await expectSame(index)
  })

  test('is checked against the disk by a search when it is old, where the system notifies of nothing', async () => {
    const here = await place()
    const index = await indexed(here, { watches: false, scanEvery: 1 })
    await here.plantFile('inside/new', '')
    await expect.poll(() => foundBy(index, 'new')).toEqual(['/new'])
  })

  test('that is corrupt is discarded, logged and rebuilt', async () => {
    const here = await place()
    await here.plantFile('inside/thing', '')
    await writeFile(join(here.folder, 'index.names'), 'this is no database, and was never meant to be one')
    const index = await indexed(here)
    expect(index.events.map(({ event }) => event)).toEqual(['thrown away', 'complete'])
    expect(await foundBy(index, 'thing')).toEqual(['/thing'])
  })

  test('of another folder is discarded', async () => {
    const [here, there] = [await place(), await place()]
    const { index: first } = await indexed(here)
    await first.close()
    await rename(join(here.folder, 'index.names'), join(there.folder, 'index.names'))
    await there.plantFile('inside/thing', '')
    const index = await indexed(there)
    expect(index.events[0]?.event).toBe('thrown away')
    await expectSame(index)
  })

  test('is not built before it is wanted', async () => {
    const here = await place()
    const file = join(here.folder, 'index.names')
    const { index } = await withIndex(here)
    expect(await index.find(ROOT, [])).toBeUndefined()
    expect(existsSync(file)).toBe(false)
  })

  test('returns the totals of a folder', async () => {
    const here = await place()
    await here.plantFile('inside/a/b/one', '12345')
    await here.plantFile('inside/a/two', '123')
    await here.plantFile('inside/three', '1')
    const { index } = await indexed(here)
    const sizes = async (folder: string, most = 0) => {
      const known = await index.sizes(folder as typeof ROOT, { most })
      return known?.isComplete ? known : undefined
    }
    expect((await sizes('/'))?.total).toMatchObject({ bytes: 9, files: 3, folders: 2, unread: 0 })
    await here.plantFile('inside/a/two', '12345678')
    expect((await sizes('/a'))?.total).toMatchObject({ bytes: 13, files: 2, folders: 1 })
    const { items = [], count } = (await sizes('/', 1)) ?? {}
    expect(count).toBe(2)
    expect(items).toMatchObject([{ name: 'a', isFolder: true, bytes: 13, files: 2, folders: 1 }])
    await rename(join(here.folder, 'inside/a/b'), join(here.folder, 'inside/c'))
    expect((await sizes('/', 9))?.items.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['a', 8],
      ['c', 5],
      ['three', 1],
    ])
    const folders = await index.sizes(ROOT, { most: 9, onlyFolders: true })
    expect(folders?.items.map(({ name }) => name)).toEqual(['a', 'c'])
    await rm(join(here.folder, 'inside/a'), { recursive: true })
    expect((await sizes('/'))?.total).toMatchObject({ bytes: 6, files: 2, folders: 1 })
  })

  test('lists unreadable folders, as a walk does', async () => {
    const here = await place()
    const half = `${'d'.repeat(200)}/`.repeat(15)
    for (const top of ['tree', 'more']) await mkdir(join(here.folder, 'inside', top, half), { recursive: true })
    await rename(join(here.folder, 'inside/more'), join(here.folder, 'inside/tree', half, 'more'))
    const { store, index } = await indexed(here)
    const unreadIn = async (context: SearchContext) => {
      const top = await store.stat(ROOT)
      const found = top ? await Array.fromAsync(findNames(context, top, ['no such name'], live)) : []
      return found.filter(({ kind }) => kind === 'unread').map(({ path }) => path)
    }
    for (const policy of POLICIES) {
      const known = await unreadIn({ store, policy, index })
      expect(known).toEqual(await unreadIn({ store, policy }))
      expect(known).toEqual([expect.stringMatching(/^\/tree\/.*\/more\//)])
    }
    expect(await unreadIn({ store, index, policy: policyFor(ACTOR, [rule('/tree', false)]) })).toEqual([])
    expect(await totalsOf({ store, index })).toMatchObject({ unread: 1 })
    // The path is too long for other ways to remove it.
    await store.remove('/tree' as typeof ROOT)
  })

  test('counts the blocks of a file with two names once', async () => {
    const here = await place()
    await here.plantFile('inside/a/one', 'x'.repeat(100_000))
    const { index } = await indexed(here)
    const before = await index.sizes(ROOT, { most: 0 })
    await link(join(here.folder, 'inside/a/one'), join(here.folder, 'inside/two'))
    // The first name is only updated when its folder is read again.
    await utimes(join(here.folder, 'inside/a/one'), 1, 1)
    await expect.poll(async () => (await index.sizes(ROOT, { most: 0 }))?.total.files).toBe(2)
    const after = await index.sizes(ROOT, { most: 9 })
    expect(after?.total.disk).toBe(before?.total.disk)
    expect(after?.items.map(({ bytes, disk }) => [bytes, disk * 2])).toEqual([
      [100_000, before?.total.disk],
      [100_000, before?.total.disk],
    ])
  })
})

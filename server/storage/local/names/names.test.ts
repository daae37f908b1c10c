import { existsSync } from 'node:fs'
import { appendFile, link, mkdir, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../../../shared/path.ts'
import { findNames } from '../../../files/find.ts'
import { type Policy, policyFor } from '../../../files/policy.ts'
import type { StorageDriver } from '../../driver.ts'
import { openLocal } from '../../local.ts'
import { NamesKeeper } from '../../names/index-client.ts'
import type { IndexedPlace } from '../../names/messages.ts'
import { ACTOR, dice, expectSame, foundBy, live, NAMES, POLICIES, rule } from '../../names/test-same.ts'
import { nativePath } from '../native-path.ts'
import { TEST_KEY } from '../test-place.ts'
import { indexed, PLAIN, place } from './test-index.ts'

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
    const root = join(here.ground, 'inside')
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
    const { store } = await indexed(here)
    expect(await foundBy(store, 'eport')).toEqual(['/Report.pdf', '/reports'])
    expect(await foundBy(store, 'REPORT')).toEqual(['/reports/old REPORT'])
    for (const [word, path] of [
      ['x', '/x'],
      ['ab', '/ab'],
      ['γας', '/Ωμέγας'],
      ['ffcd', undefined],
      ['\udcffcd', '/b\udcffcd'],
      ['0%', '/100%\udcff'],
    ] as const) {
      expect(await foundBy(store, word), word).toEqual(path === undefined ? [] : [path])
    }
    for (const word of ['a/b', 'a\0b', '""', 'x'.repeat(1000)]) expect(await foundBy(store, word)).toEqual([])
    const pairs = Array.from({ length: 64 }, (_, index) => `q${index}`)
    expect(await foundBy(store, ...pairs, 'ab')).toEqual(['/ab'])
    expect(await foundBy(store, 'pdf', 'old')).toEqual(['/Report.pdf', '/reports/old REPORT'])
  })

  test('finds common and rare names alike in a wide folder', async () => {
    const here = await place()
    for (let number = 0; number < 3000; number++) await writeFile(join(here.ground, 'inside', `file ${number}`), '')
    const index = await indexed(here)
    expect(await foundBy(index.store, 'file')).toHaveLength(3000)
    expect(await foundBy(index.store, '2999')).toEqual(['/file 2999'])
    await writeFile(join(here.ground, 'inside', 'file 2999b'), '')
    expect(await foundBy(index.store, '2999')).toEqual(['/file 2999', '/file 2999b'])
    await expectSame(index)
  })

  test('picks up changes made while it was not running', async () => {
    const here = await place()
    await here.plantFile('inside/a/b/old', '')
    const first = await indexed(here)
    await first.keeper.close()
    await rename(join(here.ground, 'inside/a/b'), join(here.ground, 'inside/c'))
    await here.plantFile('inside/c/new', '')
    await expectSame(await indexed(here))
  })

  test('picks up our own changes where the system notifies of nothing, also through a link', async () => {
    const here = await place()
    await mkdir(join(here.ground, 'inside/real'))
    await here.plantLink('inside/alias', 'real')
    const index = await indexed(here, { watches: false })
    await here.plantFile('inside/real/new/er/thing', '')
    index.keeper.changed('/alias/new/er/thing' as typeof ROOT)
    await expectSame(index)
    await rm(join(here.ground, 'inside/real/new'), { recursive: true })
    index.keeper.changed('/real/new' as typeof ROOT)
    await expectSame(index)
  })

  test('is checked against the disk by a search when it is old, where the system notifies of nothing', async () => {
    const here = await place()
    const index = await indexed(here, { watches: false, lookEvery: 1 })
    await here.plantFile('inside/new', '')
    await expect.poll(() => foundBy(index.store, 'new')).toEqual(['/new'])
  })

  test('that is corrupt is discarded, logged and rebuilt', async () => {
    const here = await place()
    await here.plantFile('inside/thing', '')
    await writeFile(join(here.ground, 'index.names'), 'this is no database, and was never meant to be one')
    const index = await indexed(here)
    expect(index.news.map(event => event.news)).toEqual(['thrown away', 'complete'])
    expect(await foundBy(index.store, 'thing')).toEqual(['/thing'])
  })

  test('of another folder is discarded', async () => {
    const [here, there] = [await place(), await place()]
    const { keeper } = await indexed(here)
    await keeper.close()
    await rename(join(here.ground, 'index.names'), join(there.ground, 'index.names'))
    await there.plantFile('inside/thing', '')
    const index = await indexed(there)
    expect(index.news[0]?.news).toBe('thrown away')
    await expectSame(index)
  })

  test('is not built before it is wanted', async () => {
    const here = await place()
    const file = join(here.ground, 'index.names')
    const names = (where: IndexedPlace) => new NamesKeeper({ ...PLAIN, file }, where, () => {})
    const store = await openLocal({ root: join(here.ground, 'inside'), stagingKey: TEST_KEY, names })
    expect(await store.names?.find(ROOT, [])).toBeUndefined()
    expect(existsSync(file)).toBe(false)
  })

  test('returns the totals of a folder', async () => {
    const here = await place()
    await here.plantFile('inside/a/b/one', '12345')
    await here.plantFile('inside/a/two', '123')
    await here.plantFile('inside/three', '1')
    const { store } = await indexed(here)
    const sizes = async (folder: string, most = 0) => {
      const known = await store.names?.sizes?.(folder as typeof ROOT, most)
      return known?.isComplete ? known : undefined
    }
    expect((await sizes('/'))?.total).toMatchObject({ bytes: 9, files: 3, folders: 2, unread: 0 })
    await here.plantFile('inside/a/two', '12345678')
    expect((await sizes('/a'))?.total).toMatchObject({ bytes: 13, files: 2, folders: 1 })
    const { items = [], count } = (await sizes('/', 1)) ?? {}
    expect(count).toBe(2)
    expect(items).toMatchObject([{ name: 'a', isFolder: true, bytes: 13, files: 2, folders: 1 }])
    await rename(join(here.ground, 'inside/a/b'), join(here.ground, 'inside/c'))
    expect((await sizes('/', 9))?.items.map(({ name, bytes }) => [name, bytes])).toEqual([
      ['a', 8],
      ['c', 5],
      ['three', 1],
    ])
    await rm(join(here.ground, 'inside/a'), { recursive: true })
    expect((await sizes('/'))?.total).toMatchObject({ bytes: 6, files: 2, folders: 1 })
  })

  test('lists unreadable folders, as a walk does', async () => {
    const here = await place()
    const half = `${'d'.repeat(200)}/`.repeat(15)
    for (const top of ['tree', 'more']) await mkdir(join(here.ground, 'inside', top, half), { recursive: true })
    await rename(join(here.ground, 'inside/more'), join(here.ground, 'inside/tree', half, 'more'))
    const { store } = await indexed(here)
    const { names, ...walking } = store
    const unreadIn = async (how: StorageDriver, policy: Policy) => {
      const top = await store.stat(ROOT)
      const found = top ? await Array.fromAsync(findNames(how, policy, top, ['no such name'], live)) : []
      return found.filter(({ kind }) => kind === 'unread').map(({ path }) => path)
    }
    for (const policy of POLICIES) {
      const known = await unreadIn(store, policy)
      expect(known).toEqual(await unreadIn(walking, policy))
      expect(known).toEqual([expect.stringMatching(/^\/tree\/.*\/more\//)])
    }
    expect(await unreadIn(store, policyFor(ACTOR, [rule('/tree', false)]))).toEqual([])
    expect(await names?.totals(ROOT)).toMatchObject({ unread: 1 })
    // The path is too long for other ways to remove it.
    await store.remove('/tree' as typeof ROOT)
  })

  test('counts the blocks of a file with two names once', async () => {
    const here = await place()
    await here.plantFile('inside/a/one', 'x'.repeat(100_000))
    const { store } = await indexed(here)
    const before = await store.names?.sizes?.(ROOT, 0)
    await link(join(here.ground, 'inside/a/one'), join(here.ground, 'inside/two'))
    // The first name is only updated when its folder is read again.
    await utimes(join(here.ground, 'inside/a/one'), 1, 1)
    await expect.poll(async () => (await store.names?.sizes?.(ROOT, 0))?.total.files).toBe(2)
    const after = await store.names?.sizes?.(ROOT, 9)
    expect(after?.total.disk).toBe(before?.total.disk)
    expect(after?.items.map(({ bytes, disk }) => [bytes, disk * 2])).toEqual([
      [100_000, before?.total.disk],
      [100_000, before?.total.disk],
    ])
  })
})

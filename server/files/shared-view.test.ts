import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import { type FilePath, parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS, type Permissions } from '../../shared/permissions.ts'
import type { Cluster, ClusterEvents } from '../cluster/cluster.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { type MemoryFolder, memoryFile, memoryFolder, memoryLink, place } from '../storage/memory/tree.ts'
import { openMemory } from '../storage/memory.ts'
import type { Files } from './files.ts'
import { createFiles } from './files-service.ts'

let tree: MemoryFolder
let ann: MemoryFolder
let docs: MemoryFolder
let cluster: Cluster

beforeEach(() => {
  docs = memoryFolder({
    'one.txt': memoryFile('one'),
    '.dot': memoryFile('dot'),
    secret: memoryFolder({ 'deny.txt': memoryFile('denied') }),
    up: memoryLink('../a.txt'),
    within: memoryLink('one.txt'),
  })
  ann = memoryFolder({ 'a.txt': memoryFile('a'), docs, door: memoryLink('docs'), pointer: memoryLink('docs/one.txt') })
  tree = memoryFolder({ ann })
  cluster = openLocalCluster()
})

const p = parsePath
const rules = [{ regex: false, allow: false, path: '/docs/secret', regexp: null }]
const filesOf = (perm: Permissions = ALL_PERMISSIONS, hideDotfiles = false): Promise<Files> =>
  createFiles({ storage: openMemory(tree), cluster, globalRules: async () => [] }).for({
    scope: '/ann',
    perm,
    rules,
    hideDotfiles,
  })
const contentOf = async (files: Files, path: FilePath) => {
  const file = await files.open(path)
  return text(file.stream())
}
const names = async (files: Files, path = '/') => (await files.list(p(path))).items.map(item => item.name).sort()

describe('a view of a folder', () => {
  test('shows the folder as a root, with its owner’s rules and settings', async () => {
    expect(await names((await (await filesOf()).under(p('/docs'))).files)).toEqual(['.dot', 'one.txt', 'up', 'within'])
    const neat = await (await filesOf(ALL_PERMISSIONS, true)).under(p('/docs'))
    expect(await names(neat.files)).toEqual(['one.txt', 'up', 'within'])
    await expect(neat.files.open(p('/.dot'))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(neat.files.info(p('/secret/deny.txt'))).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('follows no link out of the folder', async () => {
    const { files } = await (await filesOf()).under(p('/docs'))
    expect(await contentOf(files, p('/within'))).toBe('one')
    await expect(files.open(p('/up'))).rejects.toMatchObject({ code: 'outside_scope' })
  })

  test('applies the rules also when the folder is reached through a link', async () => {
    const { files } = await (await filesOf()).under(p('/door'))
    expect(await contentOf(files, p('/one.txt'))).toBe('one')
    await expect(files.info(p('/secret'))).rejects.toMatchObject({ code: 'outside_scope' })
  })

  test('cannot change anything, whatever its owner may', async () => {
    const { files } = await (await filesOf()).under(p('/docs'))
    const plain = { override: true, rename: false }
    const attempts = [
      files.write(p('/new.txt'), Readable.from(['x']), { override: true }),
      files.save(p('/one.txt'), Readable.from(['x']), {}),
      files.makeFolder(p('/new')),
      files.remove(p('/one.txt')),
      files.transfers.copy(p('/one.txt'), p('/two.txt'), plain),
      files.transfers.move(p('/one.txt'), p('/two.txt'), plain),
    ]
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
    expect([...docs.children.keys()].sort()).toEqual(['.dot', 'one.txt', 'secret', 'up', 'within'])
  })

  test('cannot read content when its owner may not', async () => {
    const { files } = await (await filesOf({ ...ALL_PERMISSIONS, download: false })).under(p('/docs'))
    await expect(files.open(p('/one.txt'))).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('a view of a file', () => {
  test.each(['/docs/one.txt', '/pointer'])('is %s and nothing else', async shared => {
    const { files, path } = await (await filesOf()).under(p(shared))
    expect(await contentOf(files, path)).toBe('one')
    for (const other of ['/', '/a.txt', '/docs', '/docs/.dot', '/missing']) {
      await expect(files.info(p(other))).rejects.toMatchObject({ code: 'forbidden' })
    }
  })
})

describe('a share link can be made', () => {
  test('for an existing, visible entry, by a user who may share and read', async () => {
    const files = await filesOf()
    expect((await files.shareable(p('/docs'))).kind).toBe('folder')
    await expect(files.shareable(p('/missing'))).rejects.toMatchObject({ code: 'not_found' })
    await expect(files.shareable(p('/docs/secret'))).rejects.toMatchObject({ code: 'forbidden' })
    for (const name of ['share', 'download']) {
      const less = await filesOf({ ...ALL_PERMISSIONS, [name]: false })
      await expect(less.shareable(p('/docs'))).rejects.toMatchObject({ code: 'forbidden' })
    }
  })

  test('for no symbolic link that leads out', async () => {
    place(ann, 'out', memoryLink('/elsewhere'))
    await expect((await filesOf()).shareable(p('/out'))).rejects.toMatchObject({ code: 'outside_scope' })
  })
})

describe('a replaced file is announced', () => {
  const reported: ClusterEvents['files.changed'][] = []
  beforeEach(() => {
    reported.length = 0
    cluster.subscribe('files.changed', change => reported.push(change))
  })
  const OVER = { override: true, rename: false }

  test('when a file is overwritten by an upload, a save, a copy or a move', async () => {
    const files = await filesOf()
    const acts = [
      () => files.write(p('/a.txt'), Readable.from(['x']), { override: true }),
      () => files.save(p('/a.txt'), Readable.from(['x']), {}),
      () => files.transfers.copy(p('/docs/one.txt'), p('/a.txt'), OVER),
      () => files.transfers.move(p('/docs/one.txt'), p('/a.txt'), OVER),
    ]
    for (const act of acts) {
      reported.length = 0
      await act()
      const replaced = reported.filter(({ change }) => change === 'replaced')
      expect(replaced).toEqual([{ folder: '/ann', path: '/ann/a.txt', change: 'replaced' }])
    }
  })

  test('for every file when folders merge', async () => {
    const files = await filesOf()
    await files.write(p('/other/one.txt'), Readable.from(['other']), { override: false })
    await files.transfers.copy(p('/docs/one.txt'), p('/more/one.txt'), OVER)
    await files.transfers.copy(p('/more'), p('/other'), OVER)
    expect(reported).toContainEqual(expect.objectContaining({ path: '/ann/other/one.txt', change: 'replaced' }))
  })
})

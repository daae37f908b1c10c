import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Rule } from '../../shared/api/users.ts'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS, type Permission } from '../../shared/permissions.ts'
import type { Cluster, ClusterEvents } from '../cluster/cluster.ts'
import { openLocalCluster } from '../cluster/local.ts'
import type { StorageDriver } from '../storage/driver.ts'
import { openMemory } from '../storage/memory.ts'
import { writeFile } from '../storage/write-file.ts'
import type { Files } from './files.ts'
import { createFiles } from './files-service.ts'
import type { Actor } from './policy.ts'

let storage: StorageDriver
let cluster: Cluster
let globalRules: Rule[]
beforeEach(async () => {
  storage = openMemory()
  cluster = openLocalCluster()
  globalRules = []
  for (const file of ['/ann/a.txt', '/ann/docs/one.txt', '/ann/deny/secret.txt', '/bob/b.txt', '/ann/.hidden']) {
    await writeFile(storage, parsePath(file), Readable.from([file]), {})
  }
})

const actor = (overrides: Partial<Actor> = {}): Actor => ({
  scope: '/ann',
  perm: { ...ALL_PERMISSIONS, admin: false },
  rules: [],
  hideDotfiles: false,
  ...overrides,
})
const only = (...names: Permission[]) => ({
  ...NO_PERMISSIONS,
  ...Object.fromEntries(names.map(name => [name, true])),
})
const filesFor = (overrides?: Partial<Actor>): Promise<Files> =>
  createFiles({ storage, cluster, globalRules: async () => globalRules }).for(actor(overrides))
const deny = (path: string): Rule => ({ regex: false, allow: false, path, regexp: null })
const names = async (files: Files, folder: string) =>
  (await files.list(parsePath(folder))).items.map(item => item.name).sort()
const write = (files: Files, path: string, content: string, override = false) =>
  files.write(parsePath(path), Readable.from([content]), { override })
const content = async (path: string) => {
  const file = await storage.read(parsePath(path))
  const read = await text(file.stream())
  await file.close()
  return read
}
const exists = async (path: string) => (await storage.stat(parsePath(path))) !== undefined

describe('a scope', () => {
  test('is all that its user can reach', async () => {
    const files = await filesFor()
    expect(await names(files, '/')).toEqual(['.hidden', 'a.txt', 'deny', 'docs'])
    await expect(files.info(parsePath('/bob'))).rejects.toThrow('not_found')
  })

  test('that was deleted is not created again', async () => {
    await expect(filesFor({ scope: '/gone' })).rejects.toMatchObject({ code: 'not_found' })
    expect(await exists('/gone')).toBe(false)
  })

  test.each(['.', '', '/', './'])('spelled %j is the whole root', async scope => {
    expect(await names(await filesFor({ scope }), '/')).toEqual(['ann', 'bob'])
  })

  test('with .. is refused', async () => {
    await expect(filesFor({ scope: '/ann/../bob' })).rejects.toThrow()
  })
})

describe('permissions are checked by effect', () => {
  test('reading bytes needs download, listing does not', async () => {
    const files = await filesFor({ perm: only('create') })
    expect(await names(files, '/docs')).toEqual(['one.txt'])
    await expect(files.open(parsePath('/a.txt'))).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('creating needs create', async () => {
    const files = await filesFor({ perm: only('download', 'modify', 'delete') })
    await expect(write(files, '/new.txt', 'x')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(files.makeFolder(parsePath('/new'))).rejects.toMatchObject({ code: 'forbidden' })
    expect(await exists('/ann/new.txt')).toBe(false)
    expect(await exists('/ann/new')).toBe(false)
  })

  test('replacing needs modify as well; otherwise the old content stays', async () => {
    const files = await filesFor({ perm: only('create') })
    await expect(write(files, '/a.txt', 'new', true)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await content('/ann/a.txt')).toBe('/ann/a.txt')
    await write(files, '/fresh.txt', 'x', true)
    expect(await content('/ann/fresh.txt')).toBe('x')
  })

  test('removing needs delete', async () => {
    const files = await filesFor({ perm: only('create', 'modify', 'rename') })
    await expect(files.remove(parsePath('/a.txt'))).rejects.toMatchObject({ code: 'forbidden' })
    expect(await exists('/ann/a.txt')).toBe(true)
  })
})

describe('rules', () => {
  test('hide denied entries from listings', async () => {
    expect(await names(await filesFor({ rules: [deny('/deny')] }), '/')).toEqual(['.hidden', 'a.txt', 'docs'])
    globalRules = [deny('/docs')]
    expect(await names(await filesFor(), '/')).toEqual(['.hidden', 'a.txt', 'deny'])
  })

  test('give the same answer for denied paths, whether they exist or not', async () => {
    const files = await filesFor({ rules: [deny('/deny')] })
    for (const path of ['/deny', '/deny/secret.txt', '/deny/nothing.txt']) {
      await expect(files.info(parsePath(path))).rejects.toMatchObject({ code: 'forbidden' })
      await expect(files.open(parsePath(path))).rejects.toMatchObject({ code: 'forbidden' })
      await expect(write(files, path, 'x', true)).rejects.toMatchObject({ code: 'forbidden' })
      await expect(files.remove(parsePath(path))).rejects.toMatchObject({ code: 'forbidden' })
    }
    expect(await content('/ann/deny/secret.txt')).toBe('/ann/deny/secret.txt')
  })

  test('prevent removing a folder that contains a denied entry', async () => {
    const files = await filesFor({ rules: [deny('/docs/one.txt')] })
    await expect(files.remove(parsePath('/docs'))).rejects.toMatchObject({ code: 'forbidden' })
    expect(await exists('/ann/docs/one.txt')).toBe(true)
  })

  test('apply to their user only', async () => {
    const files = await filesFor({ scope: '/bob', rules: [] })
    expect(await names(files, '/')).toEqual(['b.txt'])
  })
})

test('dotfiles are hidden from users who hide them', async () => {
  const files = await filesFor({ hideDotfiles: true })
  expect(await names(files, '/')).toEqual(['a.txt', 'deny', 'docs'])
  await expect(files.info(parsePath('/.hidden'))).rejects.toMatchObject({ code: 'forbidden' })
})

describe('nothing is overwritten by default', () => {
  test('an existing file stays without override and is replaced with it', async () => {
    const files = await filesFor()
    await expect(write(files, '/a.txt', 'new')).rejects.toMatchObject({ code: 'exists' })
    expect(await content('/ann/a.txt')).toBe('/ann/a.txt')
    await write(files, '/a.txt', 'new', true)
    expect(await content('/ann/a.txt')).toBe('new')
  })

  test('a folder is never replaced by a file', async () => {
    const files = await filesFor()
    await expect(write(files, '/docs', 'new', true)).rejects.toMatchObject({ code: 'exists' })
    expect(await exists('/ann/docs/one.txt')).toBe(true)
  })

  test('of many concurrent creations of one name, one succeeds', async () => {
    const files = await filesFor()
    const tries = await Promise.allSettled(Array.from({ length: 20 }, (_, i) => write(files, '/race.txt', `${i}`)))
    expect(tries.filter(one => one.status === 'fulfilled')).toHaveLength(1)
  })

  test('LOCK-02 of two concurrent replacements of one version, one succeeds', async () => {
    const files = await filesFor()
    const { version } = await files.info(parsePath('/a.txt'))
    const save = (body: string) =>
      files.write(parsePath('/a.txt'), Readable.from([body]), { override: true, ifMatch: version })
    const tries = await Promise.allSettled([save('one'), save('two')])
    expect(tries.filter(one => one.status === 'fulfilled')).toHaveLength(1)
    expect(tries.find(one => one.status === 'rejected')).toMatchObject({ reason: { code: 'precondition_failed' } })
  })
})

describe('the root', () => {
  test('cannot be removed or replaced', async () => {
    const files = await filesFor()
    await expect(files.remove(parsePath('/'))).rejects.toMatchObject({ code: 'forbidden' })
    await expect(write(files, '/', 'x', true)).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('exists already when it is created', async () => {
    await expect((await filesFor()).makeFolder(parsePath('/'))).resolves.toBeUndefined()
  })
})

test('changes are announced with their place in the served root', async () => {
  const reported: ClusterEvents['files.changed'][] = []
  cluster.subscribe('files.changed', change => reported.push(change))
  const files = await filesFor()
  await write(files, '/new.txt', 'x')
  await write(files, '/new.txt', 'y', true)
  await files.makeFolder(parsePath('/folder'))
  await files.remove(parsePath('/new.txt'))
  expect(reported.map(({ path, change }) => `${change} ${path}`)).toEqual([
    'created /ann/new.txt',
    'replaced /ann/new.txt',
    'created /ann/folder',
    'removed /ann/new.txt',
  ])
})

describe('saving', () => {
  test('replaces an existing file and nothing else', async () => {
    const files = await filesFor({ perm: only('modify') })
    await files.save(parsePath('/a.txt'), Readable.from(['new']), {})
    expect(await content('/ann/a.txt')).toBe('new')
    const missing = files.save(parsePath('/missing.txt'), Readable.from(['new']), {})
    await expect(missing).rejects.toMatchObject({ code: 'not_found' })
    expect(await exists('/ann/missing.txt')).toBe(false)
  })

  test('needs modify, and leaves another version unchanged', async () => {
    const reader = await filesFor({ perm: only('create', 'download') })
    const refused = reader.save(parsePath('/a.txt'), Readable.from(['new']), {})
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' })
    const stale = (await filesFor()).save(parsePath('/a.txt'), Readable.from(['new']), { ifMatch: 'stale' })
    await expect(stale).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(await content('/ann/a.txt')).toBe('/ann/a.txt')
  })
})

const PLAIN = { override: false, rename: false }

describe('copying', () => {
  test('creates a second file or tree', async () => {
    const files = await filesFor({ perm: only('create') })
    await files.transfers.copy(parsePath('/a.txt'), parsePath('/b.txt'), PLAIN)
    await files.transfers.copy(parsePath('/docs'), parsePath('/more'), PLAIN)
    expect(await content('/ann/b.txt')).toBe('/ann/a.txt')
    expect(await content('/ann/more/one.txt')).toBe('/ann/docs/one.txt')
    expect(await exists('/ann/docs/one.txt')).toBe(true)
  })

  test('needs create, and modify to replace', async () => {
    const reader = await filesFor({ perm: only('rename', 'modify') })
    await expect(reader.transfers.copy(parsePath('/a.txt'), parsePath('/b.txt'), PLAIN)).rejects.toMatchObject({
      code: 'forbidden',
    })
    const creator = await filesFor({ perm: only('create') })
    const over = { override: true, rename: false }
    await expect(creator.transfers.copy(parsePath('/a.txt'), parsePath('/docs/one.txt'), over)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await content('/ann/docs/one.txt')).toBe('/ann/docs/one.txt')
  })

  test('onto an existing entry is refused, replaces it, or gets a free name, as requested', async () => {
    const files = await filesFor()
    const [from, to] = [parsePath('/a.txt'), parsePath('/docs/one.txt')]
    await expect(files.transfers.copy(from, to, PLAIN)).rejects.toMatchObject({ code: 'exists' })
    expect(await files.transfers.copy(from, to, { override: true, rename: true })).toBe('/docs/one(1).txt')
    expect(await files.transfers.copy(from, to, { override: false, rename: true })).toBe('/docs/one(2).txt')
    expect(await content('/ann/docs/one.txt')).toBe('/ann/docs/one.txt')
    await files.transfers.copy(from, to, { override: true, rename: false })
    expect(await content('/ann/docs/one.txt')).toBe('/ann/a.txt')
  })

  test('of an entry onto itself, into itself, or of the root is refused', async () => {
    const files = await filesFor()
    const over = { override: true, rename: false }
    await expect(files.transfers.copy(parsePath('/a.txt'), parsePath('/a.txt'), over)).rejects.toMatchObject({
      code: 'exists',
    })
    await expect(files.transfers.copy(parsePath('/docs'), parsePath('/docs/x'), over)).rejects.toThrow(
      'source is parent',
    )
    await expect(files.transfers.copy(parsePath('/'), parsePath('/x'), over)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await content('/ann/a.txt')).toBe('/ann/a.txt')
  })

  test('RULE-02 of a tree with a denied entry, at the source or the destination, is refused', async () => {
    const inside = await filesFor({ rules: [deny('/docs/one.txt')] })
    await expect(inside.transfers.copy(parsePath('/docs'), parsePath('/d2'), PLAIN)).rejects.toMatchObject({
      code: 'forbidden',
    })
    const image = await filesFor({ rules: [deny('/d2/one.txt')] })
    await expect(image.transfers.copy(parsePath('/docs'), parsePath('/d2'), PLAIN)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await exists('/ann/d2')).toBe(false)
  })

  test('merges a tree into an existing folder', async () => {
    const files = await filesFor()
    await write(files, '/into/kept.txt', 'kept')
    await files.transfers.copy(parsePath('/docs'), parsePath('/into'), { override: true, rename: false })
    expect(await names(files, '/into')).toEqual(['kept.txt', 'one.txt'])
  })
})

describe('moving', () => {
  test('moves a file or a tree', async () => {
    const files = await filesFor({ perm: only('rename') })
    await files.transfers.move(parsePath('/a.txt'), parsePath('/b.txt'), PLAIN)
    await files.transfers.move(parsePath('/docs'), parsePath('/d2'), PLAIN)
    expect(await content('/ann/b.txt')).toBe('/ann/a.txt')
    expect(await names(files, '/d2')).toEqual(['one.txt'])
    expect(await exists('/ann/a.txt')).toBe(false)
    expect(await exists('/ann/docs')).toBe(false)
  })

  test('needs rename', async () => {
    const files = await filesFor({ perm: only('create', 'modify', 'delete') })
    await expect(files.transfers.move(parsePath('/a.txt'), parsePath('/b.txt'), PLAIN)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(await exists('/ann/a.txt')).toBe(true)
  })

  test('replaces only with override', async () => {
    const files = await filesFor()
    const [from, to] = [parsePath('/a.txt'), parsePath('/docs/one.txt')]
    await expect(files.transfers.move(from, to, PLAIN)).rejects.toMatchObject({ code: 'exists' })
    await files.transfers.move(from, to, { override: true, rename: false })
    expect(await content('/ann/docs/one.txt')).toBe('/ann/a.txt')
    expect(await exists('/ann/a.txt')).toBe(false)
  })

  test('merges folders and leaves what could not be merged at the source', async () => {
    const files = await filesFor()
    await write(files, '/src/one.txt', 'from src')
    await write(files, '/src/two.txt', 'two')
    await files.transfers.move(parsePath('/src'), parsePath('/docs'), { override: true, rename: false })
    expect(await names(files, '/docs')).toEqual(['one.txt', 'two.txt'])
    expect(await content('/ann/docs/one.txt')).toBe('from src')
    expect(await exists('/ann/src')).toBe(false)
  })

  test('MOVE-06 in opposite directions at once does not deadlock, and loses nothing', async () => {
    const files = await filesFor()
    const there = files.transfers.move(parsePath('/a.txt'), parsePath('/z.txt'), PLAIN)
    const back = files.transfers.move(parsePath('/docs'), parsePath('/a2'), PLAIN)
    await Promise.allSettled([there, back, files.transfers.move(parsePath('/z.txt'), parsePath('/a.txt'), PLAIN)])
    expect((await exists('/ann/a.txt')) !== (await exists('/ann/z.txt'))).toBe(true)
  })
})

describe('a walk', () => {
  const walked = async (files: Files) => {
    const paths: string[] = []
    for await (const items of await files.walk(parsePath('/')))
      for (const item of items) paths.push(item.entry?.path ?? `skipped`)
    return paths
  }

  test('visits everything once, folders before their content, in byte order', async () => {
    expect(await walked(await filesFor())).toEqual([
      '/.hidden',
      '/a.txt',
      '/deny',
      '/deny/secret.txt',
      '/docs',
      '/docs/one.txt',
    ])
  })

  test('leaves out denied folders with their content', async () => {
    expect(await walked(await filesFor({ rules: [deny('/deny')], hideDotfiles: true }))).toEqual([
      '/a.txt',
      '/docs',
      '/docs/one.txt',
    ])
  })
})

import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FilePath, parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { openLocal } from '../storage/local.ts'
import type { Files } from './files.ts'
import { createFiles } from './files-service.ts'

let root: string
let files: Files
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'links-'))
  const storage = await openLocal({ root, stagingKey: Buffer.from('a key for tests only') })
  const service = createFiles({ storage, cluster: openLocalCluster(), globalRules: async () => [] })
  files = await service.for({ scope: '/', perm: { ...ALL_PERMISSIONS, admin: false }, rules: [], hideDotfiles: false })
})
afterEach(() => rm(root, { recursive: true, force: true }))

const p = parsePath
const MERGE = { override: true, rename: false }

/** Creates files with their own paths as content; a path `a -> b` is a link. */
async function plant(...paths: string[]): Promise<void> {
  for (const path of paths) {
    const [name = '', target] = path.split(' -> ')
    await mkdir(join(root, name, '..'), { recursive: true })
    await (target === undefined ? writeFile(join(root, name), name) : symlink(target, join(root, name)))
  }
}

/** Everything below the root, in the form of `plant`; a file with other content is marked. */
async function all(folder = ''): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const reported = entries.map(async entry => {
    const name = join(folder, entry.name)
    if (entry.isSymbolicLink()) return [`${name} -> ${await readlink(join(root, name))}`]
    if (entry.isDirectory()) return all(name)
    const text = await readFile(join(root, name), 'utf8')
    return [text === name ? name : `${name} = ${text}`]
  })
  return (await Promise.all(reported)).flat().sort()
}

describe.each(['copy', 'move'] as const)('to %s', action => {
  const act = (from: string, to: string, how: Parameters<Files['transfers']['copy']>[2] = MERGE) =>
    files.transfers[action](p(from), p(to), how)

  test.each([
    ['a link to a folder onto a folder', '/link', '/to'],
    ['a folder onto a link to a folder', '/to', '/link'],
    ['a link to a folder onto another', '/link', '/other'],
  ])(
    'LINK-07 %s is a conflict, whatever was chosen, and nothing is written through the link',
    async (_what, from, to) => {
      const before = ['aims/b', 'link -> aims', 'other -> to', 'to/a']
      await plant(...before)
      await expect(act(from, to)).rejects.toMatchObject({ code: 'exists' })
      await expect(act(from, to, { ...MERGE, choose: () => 'replaceOlder' })).rejects.toMatchObject({ code: 'exists' })
      expect(await all()).toEqual(before)
    },
  )

  test('LINK-07 folders merge around a link in one of them, and the rest continues', async () => {
    const before = ['aims/b', 'from/one -> ../aims', 'from/two/x', 'to/one/a', 'to/two -> ../aims']
    await plant(...before, 'from/z')
    const done = act('/from', '/to')
    await expect(done).rejects.toMatchObject({ code: 'exists' })
    expect(await all()).toEqual([...before, ...(action === 'copy' ? ['from/z'] : []), 'to/z = from/z'].sort())
  })

  test('LINK-07 a link to a folder gets a free name next to a folder, and a folder next to a link', async () => {
    await plant('aims/b', 'link -> aims', 'to/a')
    const keepBoth = { ...MERGE, choose: () => 'keepBoth' as const }
    expect(await act('/link', '/to', keepBoth)).toBe('/to(1)')
    expect(await all()).toContain(action === 'copy' ? 'to(1)/b = aims/b' : 'to(1) -> aims')
    await plant('door -> aims')
    expect(await act('/to', '/door', keepBoth)).toBe('/door(1)')
    expect(await all()).toContain('door(1)/a = to/a')
    expect(await readdir(join(root, 'aims'))).toEqual(['b'])
  })

  test('a copy of a folder into itself through a link is refused', async () => {
    const before = ['a/b/x/y', 'door -> a/b']
    await plant(...before)
    const refusal = { code: 'bad_request', message: 'source is parent' }
    for (const to of ['/door/new', '/door/x', '/door']) {
      const code = to === '/door' ? { code: 'exists' } : refusal
      await expect(act('/a', to)).rejects.toMatchObject(code)
    }
    expect(await all()).toEqual(before)
  })
})

test('LINK-07 the conflict of a link to a folder is a conflict of its own, with nothing behind the link', async () => {
  await plant('aims/a', 'from/one -> ../aims', 'from/two/a', 'to/one/a', 'to/two -> ../aims', 'link -> aims', 'door/a')
  const found = async (from: string, to: string) => {
    const found: FilePath[] = []
    for await (const collision of files.transfers.collisions(p(from), p(to), AbortSignal.timeout(10_000)))
      found.push(collision.to)
    return found
  }
  expect(await found('/from', '/to')).toEqual(['/to', '/to/one', '/to/two'])
  expect(await found('/link', '/door')).toEqual(['/door'])
  expect(await found('/door', '/link')).toEqual(['/link'])
})

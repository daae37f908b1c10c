import { mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { KeptItem, TrashResult } from '../../shared/api/trash.ts'
import { call, json, person } from './client.ts'
import { outsideFolder, WITH_TRASH } from './instance.ts'
import { openWithGrounds } from './mounted-instance.ts'
import { snapshot } from './snapshot.ts'

const { wire, grounds } = await openWithGrounds(WITH_TRASH)
const admin = await person(wire)

const restore = async (items: object[], more: object = {}): Promise<TrashResult[]> => {
  const body = JSON.stringify({ items, ...more })
  const headers = { 'Content-Type': 'application/json' }
  return json(await call(wire, '/api/trash/restore', { method: 'POST', token: admin.token, headers, body })).results
}
const itemsIn = async (folder: string): Promise<KeptItem[]> =>
  json(await call(wire, `/api/trash?folder=${encodeURIComponent(folder)}`, { token: admin.token })).items
const trash = async (path: string) => (await admin.remove(path)).headers.get('X-Kept') ?? ''

/** What can have a name, and whether it is still the same. */
const STANDING: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  async 'a folder'(path) {
    await mkdir(path)
    await writeFile(join(path, 'inner.txt'), 'inner')
  },
  async 'a link to a file'(path) {
    await writeFile(join(path, '../target.txt'), 'target')
    await symlink('target.txt', path)
  },
  'a link to nothing': path => symlink('nothing', path),
  async 'a link to a folder'(path) {
    await mkdir(join(path, '../target'))
    await symlink('target', path)
  },
}

describe.each(grounds)('$where', ({ corner }) => {
  test.each(Object.entries(STANDING))(
    'TRASH-05 where %s has the name, a file comes back next to it, or in its place, and that goes to the trash whole',
    async (_what, plant) => {
      const { path, disk } = await corner()
      await writeFile(join(disk, 'a.txt'), 'old')
      const id = await trash(`${path}/a.txt`)
      await plant(join(disk, 'a.txt'))
      const before = await snapshot(disk)
      expect(await restore([{ id }], { conflict: 'skip' })).toEqual([{ id, state: 'skipped' }])
      expect(await snapshot(disk)).toEqual(before)
      expect(await restore([{ id }])).toEqual([{ id, state: 'done', to: `${path}/a(1).txt` }])
      const beside = await snapshot(disk)
      expect(await readFile(join(disk, 'a(1).txt'), 'utf8')).toBe('old')
      delete beside['a(1).txt']
      expect(beside).toEqual(before)

      const again = await trash(`${path}/a(1).txt`)
      const [result] = await restore([{ id: again, to: `${path}/a.txt` }], { conflict: 'replace' })
      expect(result?.state).toBe('done')
      expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('old')
      const [gaveWay] = (await itemsIn(path)).filter(item => item.path === `${path}/a.txt`)
      await rm(join(disk, 'a.txt'))
      expect(await restore([{ id: gaveWay?.id }])).toMatchObject([{ state: 'done' }])
      expect(await snapshot(disk)).toEqual(before)
    },
  )

  test('TRASH-05 a folder comes back next to a file that has its name', async () => {
    const { path, disk } = await corner()
    await mkdir(join(disk, 'docs'))
    await writeFile(join(disk, 'docs/a.txt'), 'a')
    const id = await trash(`${path}/docs`)
    await writeFile(join(disk, 'docs'), 'a file')
    expect(await restore([{ id }])).toEqual([{ id, state: 'done', to: `${path}/docs(1)` }])
    expect(await readFile(join(disk, 'docs'), 'utf8')).toBe('a file')
    expect(await readFile(join(disk, 'docs(1)/a.txt'), 'utf8')).toBe('a')
  })

  test('TRASH-05 where the folder of an item is a link out now, nothing is restored through it, but to another place', async () => {
    const { path, disk } = await corner()
    const outside = await outsideFolder()
    await mkdir(join(disk, 'docs/deep'), { recursive: true })
    for (const name of ['docs/a.txt', 'docs/deep/b.txt']) await writeFile(join(disk, name), name)
    const ids = [await trash(`${path}/docs/a.txt`), await trash(`${path}/docs/deep/b.txt`)]
    await rm(join(disk, 'docs'), { recursive: true })
    await symlink(outside, join(disk, 'docs'))
    for (const id of ids) {
      for (const conflict of ['keepBoth', 'replace']) {
        const [result] = await restore([{ id }], { conflict })
        expect(result?.state).toBe('failed')
        expect(['not_a_folder', 'forbidden', 'outside_scope']).toContain(result?.code)
      }
    }
    expect([await readdir(outside), await readlink(join(disk, 'docs'))]).toEqual([[], outside])
    expect(await itemsIn(path)).toHaveLength(2)
    for (const [n, id] of ids.entries())
      expect(await restore([{ id, to: `${path}/back/${n}` }])).toMatchObject([{ state: 'done' }])
    expect(await readFile(join(disk, 'back/1'), 'utf8')).toBe('docs/deep/b.txt')
  })
})

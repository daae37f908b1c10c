import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { rawRequest } from './raw.ts'
import { snapshot } from './snapshot.ts'

const wire = await openInstance()
const admin = await person(wire)

test('a deleted file is gone, and its neighbours stay', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'a')
  await writeFile(join(disk, 'a.txt.bak'), 'b')
  const answer = await admin.remove(`${path}/a.txt`)
  expect(answer.status).toBe(204)
  expect(answer.text).toBe('')
  expect(Object.keys(await snapshot(disk))).toEqual(['a.txt.bak'])
})

test('deleting it a second time returns 404', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'a')
  await admin.remove(`${path}/a.txt`)
  const answer = await admin.remove(`${path}/a.txt`)
  expect(answer.status).toBe(404)
  expect(answer.text).toBe('404 Not Found\n')
})

test('a folder is deleted with everything in it', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'tree/a/b/c'), { recursive: true })
  for (const name of ['1', 'a/2', 'a/b/3', 'a/b/c/4']) await writeFile(join(disk, 'tree', name), name)
  await writeFile(join(disk, 'tree-2'), 'stays')
  expect((await admin.remove(`${path}/tree/`)).status).toBe(204)
  expect(Object.keys(await snapshot(disk))).toEqual(['tree-2'])
})

test('LINK-07 deleting a link keeps its target', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'folder'))
  await writeFile(join(disk, 'folder/a.txt'), 'a')
  await symlink('folder', join(disk, 'folder-link'))
  await symlink('folder/a.txt', join(disk, 'file-link'))
  expect((await admin.remove(`${path}/folder-link`)).status).toBe(204)
  expect((await admin.remove(`${path}/file-link`)).status).toBe(204)
  expect(Object.keys(await snapshot(disk))).toEqual(['folder', 'folder/a.txt'])
})

test('deleting a folder does not follow the links in it', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'kept'))
  await writeFile(join(disk, 'kept/a.txt'), 'a')
  await mkdir(join(disk, 'tree'))
  await symlink('../kept', join(disk, 'tree/link'))
  await symlink('/etc', join(disk, 'tree/far'))
  expect((await admin.remove(`${path}/tree`)).status).toBe(204)
  expect(await readFile(join(disk, 'kept/a.txt'), 'utf8')).toBe('a')
})

test.each(['', '/', '//', '/.', '/x/..', '/%2F', '/%2e%2e'])(
  'the root, spelled "%s", cannot be deleted',
  async spelling => {
    await corner(wire)
    const before = await snapshot(wire.root)
    const target = `${wire.base}/api/resources${spelling}`
    const answer = await rawRequest(wire, { method: 'DELETE', target, headers: { 'X-Auth': admin.token } })
    expect([400, 403, 404]).toContain(answer.status)
    expect(await snapshot(wire.root)).toEqual(before)
  },
)

test('PATH-08 deleting the root is refused with 403', async () => {
  expect((await admin.remove('/')).status).toBe(403)
})

test('a tree 300 levels deep is deleted', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'deep', ...Array.from({ length: 300 }, () => 'level')), { recursive: true })
  expect((await admin.remove(`${path}/deep`)).status).toBe(204)
  expect(await snapshot(disk)).toEqual({})
})

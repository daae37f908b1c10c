import { writeFileSync } from 'node:fs'
import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { json, person } from './client.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await person(wire)

const get = async (path: string) => {
  const answer = await admin.get(path)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  return json(answer)
}
const namesOf = (folder: { items: { name: string }[] }) => folder.items.map(item => item.name)

test('a folder is returned with its own data, its children and their counts', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'sub'))
  await writeFile(join(disk, 'a.tar.GZ'), 'four', { mode: 0o640 })
  const when = new Date('2022-06-03T10:00:00.500Z')
  await utimes(join(disk, 'a.tar.GZ'), when, when)
  const folder = await get(path)
  expect(folder).toMatchObject({
    path,
    name: path.slice(1),
    extension: '',
    isDir: true,
    isSymlink: false,
    type: '',
    size: expect.any(Number),
    numDirs: 1,
    numFiles: 1,
    sorting: { by: 'name', asc: false },
  })
  expect(folder.modified).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d*[1-9])?Z$/)
  expect(folder.mode).toBe(2147483648 + 0o755)
  expect(folder.items[1]).toEqual({
    path: `${path}/a.tar.GZ`,
    name: 'a.tar.GZ',
    size: 4,
    extension: '.GZ',
    modified: '2022-06-03T10:00:00.5Z',
    mode: 0o640,
    isDir: false,
    isSymlink: false,
    type: 'text',
  })
})

test('the path in a response is the requested one, with its trailing slash', async () => {
  const { path } = await corner(wire)
  expect((await get(path)).path).toBe(path)
  expect((await get(`${path}/`)).path).toBe(`${path}/`)
})

test('an empty folder has an empty list', async () => {
  const { path } = await corner(wire)
  expect(await get(path)).toMatchObject({ items: [], numDirs: 0, numFiles: 0 })
})

test('the root has an empty name', async () => {
  expect(await get('/')).toMatchObject({ name: '', path: '/', isDir: true })
})

test('children are sorted naturally, folders first', async () => {
  const { path, disk } = await corner(wire)
  for (const name of ['img10.png', 'img2.png', 'IMG1.png', 'b.txt', 'A.txt']) await writeFile(join(disk, name), '')
  for (const name of ['z10', 'z9', 'Alpha']) await mkdir(join(disk, name))
  const expected = ['Alpha', 'z9', 'z10', 'A.txt', 'b.txt', 'IMG1.png', 'img2.png', 'img10.png']
  expect(namesOf(await get(path))).toEqual(expected)
})

test('a text file includes its content', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'note.md'), '# Grüße\n')
  const file = await get(`${path}/note.md`)
  expect(file).toMatchObject({ type: 'text', content: '# Grüße\n', name: 'note.md', isDir: false, extension: '.md' })
  expect(file).not.toHaveProperty('items')
})

test('a text file without an extension is detected by its bytes', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'README'), 'read me')
  await writeFile(join(disk, 'binary'), Buffer.from([0, 1, 2, 3]))
  expect(await get(`${path}/README`)).toMatchObject({ type: 'text', content: 'read me', extension: '' })
  const binary = await get(`${path}/binary`)
  expect(binary.type).toBe('blob')
  expect(binary).not.toHaveProperty('content')
})

test.each([
  ['photo.JPG', 'image'],
  ['song.mp3', 'audio'],
  ['film.mp4', 'video'],
  ['paper.pdf', 'pdf'],
  ['main.ts', 'text'],
  ['data.json', 'text'],
  ['.bashrc', 'text'],
  ['disk.iso', 'blob'],
  ['LICENSE', 'text'],
  ['core', 'blob'],
])('%s has the type %s', async (name, type) => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, name), type === 'text' ? 'text' : Buffer.from([0, 1, 2, 3]))
  expect((await get(`${path}/${name}`)).type).toBe(type)
  expect((await get(path)).items[0].type).toBe(type)
})

test('a listing never includes content', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'note.md'), 'text')
  expect((await get(path)).items[0]).not.toHaveProperty('content')
})

test('a link inside is returned with its target', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'real.txt'), 'real')
  await mkdir(join(disk, 'folder'))
  await symlink('real.txt', join(disk, 'file-link'))
  await symlink('folder', join(disk, 'folder-link'))
  const { items } = await get(path)
  const named = (name: string) => items.find((item: { name: string }) => item.name === name)
  expect(named('file-link')).toMatchObject({ size: 4, isDir: false, isSymlink: true })
  expect(named('folder-link')).toMatchObject({ isDir: true, isSymlink: true })
})

test('a missing path is answered with 404', async () => {
  const { path } = await corner(wire)
  const answer = await admin.get(`${path}/missing.txt`)
  expect(answer.status).toBe(404)
  expect(answer.text).toBe('404 Not Found\n')
})

test('a path below a file is answered with 404', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'a')
  expect((await admin.get(`${path}/a.txt/b`)).status).toBe(404)
  expect((await admin.raw(`${path}/a.txt/b`)).status).toBe(404)
  expect((await admin.remove(`${path}/a.txt/b`)).status).toBe(404)
})

test('a folder of 10 000 entries is listed whole', async () => {
  const { path, disk } = await corner(wire)
  const names = Array.from({ length: 10_000 }, (_, index) => `file ${index}.txt`)
  for (const name of names) writeFileSync(join(disk, name), '')
  const folder = await get(path)
  expect(folder.numFiles).toBe(10_000)
  expect(namesOf(folder)).toEqual(names)
})

test('usage returns the bytes of the disk below a folder', async () => {
  const { path } = await corner(wire)
  for (const spelling of [path, `${path}/`, '/']) {
    const answer = await admin.usage(spelling)
    expect(answer.status).toBe(200)
    const { total, used } = json(answer)
    expect(total).toBeGreaterThan(0)
    expect(used).toBeGreaterThan(0)
    expect(used).toBeLessThanOrEqual(total)
  }
})

test('usage of a file is zero, with and without a trailing slash', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'a')
  expect(json(await admin.usage(`${path}/a.txt`))).toEqual({ total: 0, used: 0 })
  expect(json(await admin.usage(`${path}/a.txt/`))).toEqual({ total: 0, used: 0 })
})

test('usage of a missing path is answered with 404', async () => {
  const { path } = await corner(wire)
  expect((await admin.usage(`${path}/missing`)).status).toBe(404)
})

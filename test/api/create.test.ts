import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { rawRequest } from './raw.ts'
import { snapshot } from './snapshot.ts'

const wire = await openInstance()
const admin = await person(wire)

test('uploading a new file returns 200 and stores exactly its bytes', async () => {
  const { path, disk } = await corner(wire)
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256))
  const answer = await admin.put(`${path}/a.bin`, bytes)
  expect(answer.status).toBe(200)
  expect(answer.text).toBe('200 OK\n')
  expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/)
  expect(await readFile(join(disk, 'a.bin'))).toEqual(bytes)
  expect(await readdir(disk)).toEqual(['a.bin'])
})

test('the ETag of an upload equals that of a download', async () => {
  const { path } = await corner(wire)
  const created = await admin.put(`${path}/a.txt`, 'a')
  expect((await admin.raw(`${path}/a.txt`)).headers.get('etag')).toBe(created.headers.get('etag'))
})

test('uploading onto an existing file is a conflict and leaves it unchanged', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'old')
  const before = await snapshot(disk)
  for (const query of ['', '?override=false', '?override=1', '?override=TRUE', '?override']) {
    const answer = await admin.put(`${path}/a.txt`, 'new', query)
    expect(answer.status).toBe(409)
    expect(answer.text).toBe('409 Conflict\n')
  }
  expect(await snapshot(disk)).toEqual(before)
})

test('override=true replaces the file and changes its ETag', async () => {
  const { path, disk } = await corner(wire)
  const first = await admin.put(`${path}/a.txt`, 'one')
  const second = await admin.put(`${path}/a.txt`, 'two', '?override=true')
  expect(second.status).toBe(200)
  expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
  expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('two')
  expect(await readdir(disk)).toEqual(['a.txt'])
})

test('replacing a file keeps its permissions', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'run.sh'), 'old')
  await chmod(join(disk, 'run.sh'), 0o751)
  await admin.put(`${path}/run.sh`, 'new', '?override=true')
  expect((await stat(join(disk, 'run.sh'))).mode & 0o777).toBe(0o751)
})

test('a query with a trailing ampersand is accepted', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'old')
  expect((await admin.put(`${path}/a.txt`, 'new', '?override=true&')).status).toBe(200)
})

test('missing parent folders are created', async () => {
  const { path, disk } = await corner(wire)
  expect((await admin.put(`${path}/one/two/three.txt`, 'deep')).status).toBe(200)
  expect(await readFile(join(disk, 'one/two/three.txt'), 'utf8')).toBe('deep')
})

test('an empty file is stored', async () => {
  const { path, disk } = await corner(wire)
  expect((await admin.put(`${path}/empty.txt`, '')).status).toBe(200)
  expect((await stat(join(disk, 'empty.txt'))).size).toBe(0)
})

test('an uploaded JSON file is stored untouched, even when it is not JSON', async () => {
  const { path, disk } = await corner(wire)
  const body = '{ "a" : 1,  "__proto__": [ }\n'
  const headers = { 'Content-Type': 'application/json' }
  const answer = await call(wire, `/api/resources${path}/a.json`, { method: 'POST', token: admin.token, headers, body })
  expect(answer.status).toBe(200)
  expect(await readFile(join(disk, 'a.json'), 'utf8')).toBe(body)
})

test('HTTP-11 an upload with Content-Encoding is stored as it was sent', async () => {
  const { path, disk } = await corner(wire)
  const headers = { 'X-Auth': admin.token, 'Content-Encoding': 'gzip' }
  const target = `${wire.base}/api/resources${path}/a.gz`
  const answer = await rawRequest(wire, { method: 'POST', target, headers, body: 'not really gzip' })
  expect(answer.status).toBe(200)
  expect(await readFile(join(disk, 'a.gz'), 'utf8')).toBe('not really gzip')
})

test('an uploaded form is stored as it was sent', async () => {
  const { path, disk } = await corner(wire)
  const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
  const body = '--x\r\n\r\nfield\r\n--x--\r\n'
  const answer = await call(wire, `/api/resources${path}/form`, { method: 'POST', token: admin.token, headers, body })
  expect(answer.status).toBe(200)
  expect(await readFile(join(disk, 'form'), 'utf8')).toBe(body)
})

test('a path with a trailing slash creates a folder, and creating it again succeeds', async () => {
  const { path, disk } = await corner(wire)
  for (const _time of [1, 2]) {
    const answer = await admin.put(`${path}/new/folder/`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('200 OK\n')
  }
  expect((await stat(join(disk, 'new/folder'))).isDirectory()).toBe(true)
})

test('creating an existing folder keeps its content', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'folder'))
  await writeFile(join(disk, 'folder/a.txt'), 'a')
  const before = await snapshot(disk)
  expect((await admin.put(`${path}/folder/`, 'a body', '?override=true')).status).toBe(200)
  expect(await snapshot(disk)).toEqual(before)
})

test('a folder cannot be created over a file', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a.txt'), 'a')
  const before = await snapshot(disk)
  expect((await admin.put(`${path}/a.txt/`)).status).toBe(409)
  expect((await admin.put(`${path}/a.txt/below/`)).status).toBe(409)
  expect((await admin.put(`${path}/a.txt/below.txt`, 'x')).status).toBe(409)
  expect(await snapshot(disk)).toEqual(before)
})

test('a file never replaces a folder', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(join(disk, 'tree/inner'), { recursive: true })
  await writeFile(join(disk, 'tree/inner/a.txt'), 'a')
  await mkdir(join(disk, 'empty'))
  const before = await snapshot(disk)
  for (const name of ['tree', 'empty']) {
    for (const query of ['', '?override=true']) {
      expect((await admin.put(`${path}/${name}`, 'x', query)).status).toBe(409)
    }
  }
  expect(await snapshot(disk)).toEqual(before)
})

test.each(['', '/', '//', '/.', '/%2F', '/x/..', '/%2e'])(
  'PATH-08 the root, spelled "%s", cannot be written',
  async spelling => {
    const before = await snapshot(wire.root)
    const target = `${wire.base}/api/resources${spelling}?override=true`
    const answer = await rawRequest(wire, { method: 'POST', target, headers: { 'X-Auth': admin.token }, body: 'x' })
    expect(answer.status).toBeLessThan(500)
    expect(await snapshot(wire.root)).toEqual(before)
  },
)

test('MOVE-07 LOCK-03 of 20 clients that create the same file at once one succeeds', async () => {
  const { path, disk } = await corner(wire)
  const bodies = Array.from({ length: 20 }, (_, index) => `${index} `.repeat(50_000))
  const answers = await Promise.all(bodies.map(body => admin.put(`${path}/same.txt`, body)))
  const statuses = answers.map(answer => answer.status)
  expect(statuses.filter(status => status === 200)).toHaveLength(1)
  expect(statuses.filter(status => status === 409)).toHaveLength(19)
  expect(await readFile(join(disk, 'same.txt'), 'utf8')).toBe(bodies[statuses.indexOf(200)])
  expect(await readdir(disk)).toEqual(['same.txt'])
})

test('20 concurrent replacements leave one of them whole', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'same.txt'), 'old')
  const bodies = Array.from({ length: 20 }, (_, index) => `${index} `.repeat(50_000))
  const answers = await Promise.all(bodies.map(body => admin.put(`${path}/same.txt`, body, '?override=true')))
  expect(answers.map(answer => answer.status)).toEqual(bodies.map(() => 200))
  expect(bodies).toContain(await readFile(join(disk, 'same.txt'), 'utf8'))
  expect(await readdir(disk)).toEqual(['same.txt'])
})

test('20 concurrent uploads into the same new folder all arrive', async () => {
  const { path, disk } = await corner(wire)
  const names = Array.from({ length: 20 }, (_, index) => `${index}.txt`)
  const answers = await Promise.all(names.map(name => admin.put(`${path}/a/b/${name}`, name)))
  expect(answers.map(answer => answer.status)).toEqual(names.map(() => 200))
  expect((await readdir(join(disk, 'a/b'))).sort()).toEqual(names.sort())
})

import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manager, newcomer, perm } from './accounts.ts'
import { call, encode, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { whole } from './people.ts'
import { snapshot } from './snapshot.ts'

const wire = await openInstance()
const admin = await manager(wire)
const { token } = await person(wire)

const save = (path: string, body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}, who = token) =>
  call(wire, `/api/resources${encode(path)}`, { method: 'PUT', token: who, headers, body })

async function note() {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'note.txt'), 'first')
  return { path: `${path}/note.txt`, folder: path, disk, file: join(disk, 'note.txt') }
}

test('saving replaces the content, returns the version and keeps the mode', async () => {
  const { path, file, disk } = await note()
  await chmod(file, 0o664)
  const answer = await save(path, 'second')
  expect([answer.status, answer.text]).toEqual([200, '200 OK\n'])
  expect(answer.headers.get('etag')).toMatch(/^"[^"]+"$/)
  expect(await readFile(file, 'utf8')).toBe('second')
  expect((await stat(file)).mode & 0o777).toBe(0o664)
  expect(await readdir(disk)).toEqual(['note.txt'])
})

test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'a body with the type %s is stored unchanged',
  async type => {
    const { path, file } = await note()
    const body = Buffer.from('{"broken": \x00\xff', 'latin1')
    expect((await save(path, body, { 'Content-Type': type })).status).toBe(200)
    expect(Buffer.compare(await readFile(file), body)).toBe(0)
  },
)

test('an empty body empties the file', async () => {
  const { path, file } = await note()
  expect((await save(path, '')).status).toBe(200)
  expect(await readFile(file, 'utf8')).toBe('')
})

test('LOCK-01 with the current version it saves; with another it changes nothing', async () => {
  const { path, file } = await note()
  const version = (await save(path, 'second')).headers.get('etag') ?? ''
  expect((await save(path, 'third', { 'If-Match': version })).status).toBe(200)
  const late = await save(path, 'fourth', { 'If-Match': version })
  expect([late.status, late.text]).toEqual([412, '412 Precondition Failed\n'])
  expect(await readFile(file, 'utf8')).toBe('third')
  expect((await save(path, 'fifth', { 'If-Match': '*' })).status).toBe(200)
})

test('a missing file is not created', async () => {
  const { folder, disk } = await note()
  expect((await save(`${folder}/new.txt`, 'x')).status).toBe(404)
  expect((await save(`${folder}/new/deep.txt`, 'x')).status).toBe(404)
  expect(await readdir(disk)).toEqual(['note.txt'])
})

test('a folder cannot be saved', async () => {
  const { folder, disk } = await note()
  await mkdir(join(disk, 'sub'))
  const slash = await save(`${folder}/sub/`, 'x')
  expect([slash.status, slash.text]).toEqual([405, '405 Method Not Allowed\n'])
  expect((await save(`${folder}/sub`, 'x')).status).toBe(409)
  expect((await snapshot(disk)).sub).toMatch(/^folder/)
})

test('needs a session and the modify permission only', async () => {
  const { folder, disk } = await note()
  const before = await snapshot(disk)
  expect((await call(wire, `/api/resources${folder}/note.txt`, { method: 'PUT', body: 'x' })).status).toBe(401)
  const reader = await newcomer(wire, admin, { scope: folder, perm: perm('create', 'rename', 'delete', 'download') })
  expect((await save('/note.txt', 'x', {}, reader.token)).status).toBe(403)
  expect((await save('/gone.txt', 'x', {}, reader.token)).status).toBe(403)
  expect(await snapshot(disk)).toEqual(before)
  const editor = await newcomer(wire, admin, { scope: folder, perm: perm('modify') })
  expect((await save('/note.txt', 'x', {}, editor.token)).status).toBe(200)
})

test('a denied path is refused the same way whether or not it exists', async () => {
  const { folder, disk } = await note()
  const rules = [whole({ path: '/note.txt' }), whole({ path: '/gone.txt' })]
  const denied = await newcomer(wire, admin, { scope: folder, perm: perm('modify', 'create'), rules })
  const [there, missing] = [
    await save('/note.txt', 'x', {}, denied.token),
    await save('/gone.txt', 'x', {}, denied.token),
  ]
  expect([there.status, there.text]).toEqual([403, '403 Forbidden\n'])
  expect([missing.status, missing.text]).toEqual([there.status, there.text])
  expect(await readFile(join(disk, 'note.txt'), 'utf8')).toBe('first')
})

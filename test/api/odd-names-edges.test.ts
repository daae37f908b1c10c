import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manager, newcomer, newUser, perm } from './accounts.ts'
import { filesInArchive, filesOnDisk, fromJson, type Name, nameOf, shown } from './byte-names.ts'
import { call, json } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)
const { token } = admin

/** `café` in Latin-1; in a URL, and in JSON. */
const CAFE = Buffer.from('caf\u00e9', 'latin1')
const CAFE_ESCAPED = 'caf%E9'
const CAFE_IN_JSON = 'caf\udce9'

const ask = (path: string, method = 'GET', body?: string, who = token) =>
  call(wire, path, { method, token: who, ...(body === undefined ? {} : { body }) })
const on = (disk: string, ...names: Name[]) =>
  Buffer.concat([nameOf(disk), ...names.flatMap(name => [nameOf('/'), name])])
const namesOn = async (disk: string | Buffer) => shown(await readdir(disk, { encoding: 'buffer' }))

test('NAME-02 a folder with a name that is not UTF-8 is created, entered, packed, renamed and deleted', async () => {
  const { path, disk } = await corner(wire)
  const folder = `/api/resources${path}/${CAFE_ESCAPED}`
  expect((await ask(`${folder}/`, 'POST')).status).toBe(200)
  expect((await ask(`${folder}/${CAFE_ESCAPED}/${CAFE_ESCAPED}`, 'POST', 'deep')).status).toBe(200)
  expect(await namesOn(on(disk, CAFE, CAFE))).toEqual(shown([CAFE]))
  const archive = await ask(`/api/raw${path}/${CAFE_ESCAPED}/${CAFE_ESCAPED}?algo=tar`)
  expect(await filesInArchive(archive.bytes, 'tar')).toEqual(new Map([[CAFE.toString('latin1'), 'deep']]))
  expect(archive.headers.get('content-disposition')).toBe(
    `attachment; filename="caf_.tar"; filename*=utf-8''caf%E9.tar`,
  )
  expect((await ask(`${folder}?action=rename&destination=${path}/th%25E9`, 'PATCH')).status).toBe(200)
  expect(await namesOn(disk)).toEqual(['thé'])
  expect((await ask(`/api/resources${path}/th%E9`, 'DELETE')).status).toBe(204)
  expect(await namesOn(disk)).toEqual([])
})

test('a long name that is not UTF-8 is whole in every archive', async () => {
  const { path, disk } = await corner(wire)
  const names = [Buffer.alloc(255, 0xfe), Buffer.alloc(101, 0xe9), Buffer.concat([Buffer.alloc(99, 0x61), CAFE])]
  for (const name of names) await writeFile(on(disk, name), 'x')
  for (const format of ['zip', 'tar'] as const) {
    const archive = await ask(`/api/raw${path}?algo=${format}`)
    expect([...(await filesInArchive(archive.bytes, format)).keys()].sort()).toEqual(shown(names))
  }
})

test('a destination escaped once too few means the same bytes', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a'), 'alpha')
  for (const spelling of ['once%E9', 'twice%25E9', '%25C3%A9', 'space+%2B%20%E9']) {
    const answer = await ask(`/api/resources${path}/a?action=copy&destination=${path}/${spelling}`, 'PATCH')
    expect(answer.status, answer.text).toBe(200)
  }
  const latin = [Buffer.from('once\xe9', 'latin1'), Buffer.from('twice\xe9', 'latin1')]
  expect(await namesOn(disk)).toEqual(
    shown([nameOf('a'), ...latin, nameOf('é'), Buffer.from('space   \xe9', 'latin1')]),
  )
})

test.each(['%zz', '%', 'x%2', '%E9%zz'])('%j is not a valid name', async spelling => {
  const { path, disk } = await corner(wire)
  expect((await ask(`/api/resources${path}/${spelling}`, 'POST', 'x')).status).toBe(400)
  await writeFile(join(disk, 'a'), 'alpha')
  const destination = encodeURIComponent(`${path}/${spelling}`)
  expect((await ask(`/api/resources${path}/a?action=copy&destination=${destination}`, 'PATCH')).status).toBe(400)
  expect(await namesOn(disk)).toEqual(['a'])
})

test('256 bytes that are not UTF-8 are too long, 255 are not', async () => {
  const { path, disk } = await corner(wire)
  const refused = await ask(`/api/resources${path}/${'%FF'.repeat(256)}`, 'POST', 'x')
  expect(refused.status).toBe(400)
  expect(refused.text).toMatch(/too.long/)
  expect((await ask(`/api/resources${path}/${'%FF'.repeat(255)}`, 'POST', 'x')).status).toBe(200)
  expect(await namesOn(disk)).toEqual(shown([Buffer.alloc(255, 0xff)]))
})

test('a resumable upload arrives under its bytes', async () => {
  const { path, disk } = await corner(wire)
  const address = `/api/tus${path}/${CAFE_ESCAPED}/${CAFE_ESCAPED}`
  const created = await call(wire, address, { method: 'POST', token, headers: { 'Upload-Length': '6' } })
  expect(created.status).toBe(201)
  expect(created.headers.get('location')).toBe(`${wire.base}${address}`)
  const headers = { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }
  await call(wire, address, { method: 'PATCH', token, headers, body: 'pie' })
  expect((await call(wire, address, { method: 'HEAD', token })).headers.get('upload-offset')).toBe('3')
  await call(wire, address, { method: 'PATCH', token, headers: { ...headers, 'Upload-Offset': '3' }, body: 'ces' })
  expect(await namesOn(on(disk, CAFE))).toEqual(shown([CAFE]))
  expect((await ask(`/api/raw${path}/${CAFE_ESCAPED}/${CAFE_ESCAPED}`)).text).toBe('pieces')
})

test('a search finds a byte that is not UTF-8, written as an escape', async () => {
  const { path, disk } = await corner(wire)
  for (const name of [CAFE, nameOf('café'), nameOf('tea')]) await writeFile(on(disk, name), '')
  const found = json(await ask(`/api/search${path}?query=f%E9`))
  expect(shown(found.map(({ path: hit }: { path: string }) => fromJson(hit)))).toEqual(shown([CAFE]))
})

test('a video finds the subtitles whose names share its bytes', async () => {
  const { path, disk } = await corner(wire)
  const files = ['.mp4', '.srt'].map(extension => Buffer.concat([CAFE, nameOf(extension)]))
  for (const file of files) await writeFile(on(disk, file), '1\n00:00:01,000 --> 00:00:02,000\nhello\n')
  await writeFile(join(disk, 'café.srt'), 'of another film')
  const { subtitles } = json(await ask(`/api/resources${path}/${CAFE_ESCAPED}.mp4`))
  expect(subtitles).toEqual([`${path}/${CAFE_IN_JSON}.srt`])
  expect((await ask(`/api/subtitle${path}/${CAFE_ESCAPED}.srt`)).text).toContain('hello')
})

test('a checksum and a saved text are those of the file with exactly these bytes', async () => {
  const { path, disk } = await corner(wire)
  await writeFile(on(disk, CAFE), 'latin')
  await writeFile(join(disk, 'café'), 'utf-8')
  const { checksums } = json(await ask(`/api/resources${path}/${CAFE_ESCAPED}?checksum=md5`))
  expect(checksums.md5).toBe('f4b418eba9c0b3d4901880b743cbbaff')
  expect((await ask(`/api/resources${path}/${CAFE_ESCAPED}`, 'PUT', 'saved')).status).toBe(200)
  expect(await filesOnDisk(disk)).toEqual(
    new Map([
      [CAFE.toString('latin1'), 'saved'],
      [nameOf('café').toString('latin1'), 'utf-8'],
    ]),
  )
})

test('a link with such a name that leads out is listed and deleted, but not followed', async () => {
  const { path, disk } = await corner(wire)
  await symlink('/etc/hostname', on(disk, CAFE))
  const [item] = json(await ask(`/api/resources${path}`)).items
  expect(item).toMatchObject({ name: CAFE_IN_JSON, type: 'invalid_link' })
  expect((await ask(`/api/raw${path}/${CAFE_ESCAPED}`)).status).toBe(403)
  expect((await ask(`/api/resources${path}/${CAFE_ESCAPED}`, 'DELETE')).status).toBe(204)
  expect(await namesOn(disk)).toEqual([])
})

test('a user may have a home with a name that is not UTF-8, and sees nothing next to it', async () => {
  const { path, disk } = await corner(wire)
  await mkdir(on(disk, CAFE))
  await mkdir(join(disk, 'café'))
  await writeFile(on(disk, CAFE, nameOf('mine')), 'mine')
  await writeFile(join(disk, 'café', 'foreign'), 'foreign')
  const user = await newcomer(wire, admin, { scope: `${path}/${CAFE_IN_JSON}`, perm: perm('create', 'download') })
  expect(json(await admin.get(user.id)).scope).toBe(`${path}/${CAFE_IN_JSON}`)
  expect(json(await ask('/api/resources', 'GET', undefined, user.token)).items).toMatchObject([{ name: 'mine' }])
  expect((await ask('/api/resources/new', 'POST', 'new', user.token)).status).toBe(200)
  expect(await namesOn(on(disk, CAFE))).toEqual(['mine', 'new'])
})

test('a second spelling of a name is refused: it could bypass a rule', async () => {
  const { path } = await corner(wire)
  for (const scope of ['caf\udcc3\udca9', '\ud800', '\udc00', '\udd00']) {
    const answer = await admin.create(newUser(uniqueName('u'), { scope: `${path}/${scope}` }))
    expect(answer.status, JSON.stringify(scope)).toBe(400)
  }
})

test('a rule hides a name by its bytes, in any spelling of the URL', async () => {
  const { path, disk } = await corner(wire)
  for (const name of [CAFE, nameOf('café')]) await writeFile(on(disk, name), 'x')
  const rule = { path: `/${CAFE_IN_JSON}`, allow: false, regex: false, regexp: { raw: '' } }
  const user = await newcomer(wire, admin, { scope: path, rules: [rule], perm: perm('download') })
  expect(json(await ask('/api/resources', 'GET', undefined, user.token)).items).toMatchObject([{ name: 'café' }])
  for (const spelling of ['caf%E9', 'caf%e9', '%63%61%66%E9']) {
    expect((await ask(`/api/raw/${spelling}`, 'GET', undefined, user.token)).status).toBe(403)
  }
  expect((await ask('/api/raw/caf%C3%A9', 'GET', undefined, user.token)).status).toBe(200)
})

test('PATH-11 share links below a deleted folder end with it, those of siblings stay', async () => {
  const { path, disk } = await corner(wire)
  const hashOf = async (spelling: string) => json(await ask(`/api/share${path}/${spelling}`, 'POST')).hash
  const statusOf = async (hash: string) => (await call(wire, `/api/public/share/${hash}`)).status
  for (const folder of [nameOf('a'), CAFE, Buffer.from('a\xe9', 'latin1')]) {
    await mkdir(on(disk, folder))
    for (const file of [nameOf('plain'), CAFE]) await writeFile(on(disk, folder, file), 'x')
  }
  const [below, plain, inside, sibling] = [
    await hashOf(`a/${CAFE_ESCAPED}`),
    await hashOf(`${CAFE_ESCAPED}/plain`),
    await hashOf(`${CAFE_ESCAPED}/${CAFE_ESCAPED}`),
    await hashOf(`a%E9/${CAFE_ESCAPED}`),
  ]
  expect(json(await ask(`/api/share${path}/a/${CAFE_ESCAPED}`))).toMatchObject([{ hash: below }])
  await ask(`/api/resources${path}/a`, 'DELETE')
  await ask(`/api/resources${path}/${CAFE_ESCAPED}`, 'DELETE')
  expect(await Promise.all([below, plain, inside, sibling].map(statusOf))).toEqual([404, 404, 404, 200])
  const left = json(await ask('/api/shares')).map(({ hash }: { hash: string }) => hash)
  expect(left).not.toEqual(expect.arrayContaining([below]))
  expect(left).toContain(sibling)
})

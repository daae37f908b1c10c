import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Manager, manager, newcomer, perm, send } from './accounts.ts'
import { inBucket } from './bucket.ts'
import { type Answer, encode, json, signIn } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { whole } from './people.ts'
import { head, openSocket, parse, readAll } from './raw.ts'
import { PIECE, tusOf } from './tus.ts'

const wire = await openInstance()
const admin = await manager(wire)
const OTHER_PASSWORD = 'quite-another-passphrase'

type Change = (admin: Manager, id: number, path: string) => Promise<{ status: number }>

const CHANGES: readonly (readonly [what: string, change: Change])[] = [
  ['may create nothing any more', (by, id) => by.update(id, ['perm'], { perm: perm('download', 'modify') })],
  ['may replace nothing any more', (by, id) => by.update(id, ['perm'], { perm: perm('create', 'download') })],
  ['has another scope', (by, id) => by.update(id, ['scope'], { scope: '/elsewhere' })],
  ['is denied the place', (by, id, path) => by.update(id, ['rules'], { rules: [whole({ path: `${path}/a` })] })],
  ['is gone', (by, id) => by.remove(id)],
]

/** A user who has begun to send six bytes to replace an existing file. */
async function beginning() {
  const { path, disk } = await corner(wire)
  await writeFile(join(disk, 'a'), 'old')
  const { id, token } = await newcomer(wire, admin, { perm: perm('create', 'download', 'modify') })
  const tus = tusOf(wire, { token })
  expect((await tus.create(`${path}/a`, 6, { query: '?override=true' })).status).toBe(201)
  const content = () => readFile(join(disk, 'a'), 'utf8')
  const untouched = async () => {
    expect(await content()).toBe('old')
    if (!inBucket) expect((await readdir(disk)).filter(name => name !== 'a' && !name.startsWith('.'))).toEqual([])
  }
  return { id, path, token, tus, content, untouched }
}

test.each(CHANGES)('UPL-14 of a user who %s no further chunk is accepted', async (_what, change) => {
  const { id, path, tus, untouched } = await beginning()
  expect((await tus.patch(`${path}/a`, 0, 'abc')).status).toBe(204)
  expect((await change(admin, id, path)).status).toBe(200)
  expect([401, 403, 404]).toContain((await tus.patch(`${path}/a`, 3, 'def')).status)
  await untouched()
})

/** Sends six bytes, with a change between the first three and the rest. @returns the status */
const changedDuring = (
  target: string,
  method: string,
  headers: Record<string, string>,
  change: () => unknown,
): Promise<number> => sentDuring(target, method, headers, 'abcdef', change)

/** Sends a body, with a change between its first half and the rest. @returns the status */
async function sentDuring(
  target: string,
  method: string,
  headers: Record<string, string>,
  body: string,
  change: () => unknown,
): Promise<number> {
  const socket = await openSocket(wire)
  const answered = readAll(socket)
  const length = { 'Content-Length': String(body.length) }
  socket.write(head(wire, { method, target: `${wire.base}${target}`, headers: { ...length, ...headers } }))
  socket.write(body.slice(0, body.length / 2))
  await new Promise(resolve => setTimeout(resolve, 300))
  await change()
  socket.write(body.slice(body.length / 2))
  return parse(await answered).status
}

test.each(CHANGES)('UPL-14 of a user who %s during the last chunk no file is committed', async (_what, change) => {
  const { id, path, token, untouched } = await beginning()
  const headers = { 'X-Auth': token, 'Upload-Offset': '0', 'Content-Type': PIECE }
  const target = `/api/tus${encode(`${path}/a`)}`
  const status = await changedDuring(target, 'PATCH', headers, () => change(admin, id, path))
  expect([401, 403, 404]).toContain(status)
  await untouched()
})

const mayStillSave = CHANGES.slice(0, 1)

test.each([
  ...CHANGES.map(([what, change]) => [what, 'POST', change] as const),
  ...CHANGES.slice(1).map(([what, change]) => [what, 'PUT', change] as const),
])('of a user who %s while their %s arrives no file is committed', async (_what, method, change) => {
  const { id, path, token, untouched } = await beginning()
  const target = `/api/resources${encode(`${path}/a`)}?override=true`
  const status = await changedDuring(target, method, { 'X-Auth': token }, () => change(admin, id, path))
  expect([401, 403, 404]).toContain(status)
  await untouched()
})

const ENDS: readonly (readonly [what: string, end: (user: { id: number; token: string }) => Promise<Answer>])[] = [
  ['logged out', ({ token }) => send(wire, 'POST', '/api/logout', token)],
  ['logged out everywhere', ({ token }) => send(wire, 'DELETE', '/api/sessions', token)],
  ['got another password', ({ id }) => admin.update(id, ['password'], { password: OTHER_PASSWORD })],
  ['was removed', ({ id }) => admin.remove(id)],
]
const WAYS: readonly (readonly [method: string, prefix: string, headers: Record<string, string>])[] = [
  ['PUT', '/api/resources', {}],
  ['POST', '/api/resources', {}],
  ['PATCH', '/api/tus', { 'Upload-Offset': '0', 'Content-Type': PIECE }],
]

test.each(ENDS.flatMap(([what, end]) => WAYS.map(way => [way[0], what, way, end] as const)))(
  'AUTH-06 a %s of a user who %s while it arrived is answered with 401 and changes nothing',
  async (_method, _what, [method, prefix, headers], end) => {
    const user = await beginning()
    const target = `${prefix}${encode(`${user.path}/a`)}?override=true`
    const status = await changedDuring(target, method, { 'X-Auth': user.token, ...headers }, () => end(user))
    expect(status).toBe(401)
    await user.untouched()
  },
)

test('AUTH-06 a resumable upload survives the session that began it, and its user finishes it in another one', async () => {
  const { id, path, token, content, untouched } = await beginning()
  const headers = { 'X-Auth': token, 'Upload-Offset': '0', 'Content-Type': PIECE }
  const target = `/api/tus${encode(`${path}/a`)}`
  const out = () => admin.update(id, ['password'], { password: OTHER_PASSWORD })
  expect(await changedDuring(target, 'PATCH', headers, out)).toBe(401)
  await untouched()
  const { username } = json(await admin.get(id))
  const again = tusOf(wire, { token: await signIn(wire, username, OTHER_PASSWORD) })
  expect((await again.head(`${path}/a`)).headers.get('upload-offset')).toBe('6')
  expect(await content()).toBe('abcdef')
})

test('AUTH-06 a change of a user that is sent slowly applies only while its session lives', async () => {
  const { id, token } = await beginning()
  const body = JSON.stringify({ what: 'user', which: ['singleClick'], data: { id, singleClick: true } })
  const out = () => admin.update(id, ['password'], { password: OTHER_PASSWORD })
  const status = await sentDuring(`/api/users/${id}`, 'PUT', { 'X-Auth': token }, body, out)
  expect(status).toBe(401)
  expect(json(await admin.get(id))).toMatchObject({ singleClick: false })
})

test.each(mayStillSave)('a user who %s while a file is saved may still save it', async (_what, change) => {
  const { id, path, token, content } = await beginning()
  const target = `/api/resources${encode(`${path}/a`)}`
  expect(await changedDuring(target, 'PUT', { 'X-Auth': token }, () => change(admin, id, path))).toBe(200)
  expect(await content()).toBe('abcdef')
})

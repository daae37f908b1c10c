import { execFile } from 'node:child_process'
import { access, link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, perm } from './accounts.ts'
import { call, encode, json, login, signIn } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { linkTo } from './links-client.ts'
import { head, openSocket } from './raw.ts'
import { tusOf } from './tus.ts'

/**
 * Faults that servers with the same API had or have, one test each. `npm run test:wire -- --server …` with the name of this
 * file runs them against such a server.
 */
const server = await openInstance()
const admin = await manager(server)
const ALL = perm('create', 'rename', 'modify', 'delete', 'share', 'download')

/** A user with a folder of their own that has some files. */
async function begin(fields: Record<string, unknown> = {}) {
  const { path: scope, disk } = await corner(server)
  await mkdir(join(disk, 'docs'))
  await writeFile(join(disk, 'a.txt'), 'first')
  await writeFile(join(disk, 'docs/one.txt'), 'one')
  const user = await newcomer(server, admin, { perm: ALL, scope, ...fields })
  const ask = (method: string, path: string, body?: string) =>
    call(server, path, { method, token: user.token, ...(body !== undefined && { body }) })
  return { ...user, scope, disk, ask, at: (path: string) => `/api/resources${encode(path)}` }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Sends the head of an upload and a part of its body, and goes away. */
async function breakOff(target: string, token: string): Promise<void> {
  const socket = await openSocket(server)
  const headers = { 'X-Auth': token, 'Content-Length': '1000000' }
  socket.write(head(server, { method: 'POST', target: `${server.base}${target}`, headers }))
  socket.write('x'.repeat(100_000))
  await new Promise(resolve => setTimeout(resolve, 300))
  socket.resetAndDestroy()
}

test('MX-07 a link inside a scope gives a denied file no second name', async () => {
  const rules = [{ regex: false, allow: false, path: '/deny', regexp: null }]
  const { disk, ask } = await begin({ rules })
  await mkdir(join(disk, 'deny'))
  await writeFile(join(disk, 'deny/secret.txt'), 'DENIED-91cc')
  await symlink('deny/secret.txt', join(disk, 'inlink'))
  await symlink('deny', join(disk, 'indir'))
  for (const path of [
    '/api/raw/inlink',
    '/api/raw/indir/secret.txt',
    '/api/resources/inlink',
    '/api/raw/deny/secret.txt',
  ])
    expect((await ask('GET', path)).text, path).not.toContain('DENIED')
  await ask('POST', '/api/resources/inlink?override=true', 'changed')
  expect(await readFile(join(disk, 'deny/secret.txt'), 'utf8')).toBe('DENIED-91cc')
})

test('MX-07 a pipe in a folder holds up no archive of it', async () => {
  const { disk, ask } = await begin()
  await promisify(execFile)('mkfifo', [join(disk, 'docs/pipe')])
  const archive = await ask('GET', '/api/raw/docs/?algo=zip')
  expect(archive.status).toBe(200)
  expect(archive.bytes.includes('one.txt')).toBe(true)
})

test('MX-07 an upload over a folder leaves the folder as it is', async () => {
  const { disk, ask } = await begin({ perm: perm('create', 'modify', 'download') })
  await ask('POST', '/api/resources/docs?override=true', 'content')
  expect(await readdir(join(disk, 'docs'))).toEqual(['one.txt'])
})

test('MX-07 an upload that breaks off leaves the file that it was to replace', async () => {
  const { disk, token } = await begin()
  await breakOff('/api/resources/a.txt?override=true', token)
  await new Promise(resolve => setTimeout(resolve, 500))
  expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('first')
})

test('MX-07 a resumable upload with a wrong length leaves the file that it was to replace', async () => {
  const user = await begin()
  const tus = tusOf(server, user)
  for (const length of ['-1', 'x', '1e9', '0x10']) {
    await tus.create('/a.txt', length, { query: '?override=true' })
    expect(await readFile(join(user.disk, 'a.txt'), 'utf8'), length).toBe('first')
  }
})

test('MX-07 a resumable upload takes no more than it announced, also by two parts at once', async () => {
  const user = await begin()
  const tus = tusOf(server, user)
  const size = 1024 ** 2
  for (let round = 0; round < 10; round += 1) {
    const name = `/up${round}.bin`
    await tus.create(name, size)
    const part = (text: string) => tus.patch(name, 0, text.repeat(size)).catch(() => undefined)
    await Promise.all([part('a'), part('b')])
    const content = await readFile(join(user.disk, name), 'latin1').catch(() => '')
    expect(content.length, name).toBeLessThanOrEqual(size)
    expect(new Set(content).size, name).toBeLessThanOrEqual(1)
  }
  await tus.create('/short.bin', 10)
  await tus.patch('/short.bin', 0, 'x'.repeat(100_000)).catch(() => undefined)
  expect((await readFile(join(user.disk, 'short.bin')).catch(() => Buffer.of())).length).toBeLessThanOrEqual(10)
})

test('MX-07 a link shows no other file that takes the place of the shared one', async () => {
  const { token, disk, ask } = await begin()
  const open = (hash: string) => call(server, `/api/public/dl/${hash}`)
  const deleted = await linkTo(server, token, '/a.txt')
  expect((await open(deleted.hash)).text).toBe('first')
  await ask('DELETE', '/api/resources/a.txt')
  await writeFile(join(disk, 'a.txt'), 'NEWCOMER')
  expect((await open(deleted.hash)).text).not.toContain('NEWCOMER')
  const renamed = await linkTo(server, token, '/docs/one.txt')
  await ask('PATCH', '/api/resources/docs/one.txt?action=rename&destination=%2Fdocs%2Ftwo.txt')
  await writeFile(join(disk, 'docs/one.txt'), 'NEWCOMER')
  expect((await open(renamed.hash)).text).not.toContain('NEWCOMER')
})

test('MX-07 a session ends by signing out, and by a new password', async () => {
  const { id, name, token, ask, at } = await begin()
  const other = await signIn(server, name, GOOD_PASSWORD)
  await call(server, '/api/logout', { method: 'POST', token: other })
  expect((await call(server, at('/'), { token: other })).status).toBe(401)
  await admin.update(id, ['password'], { password: OTHER_PASSWORD }, { current_password: server.adminPassword })
  expect((await signIn(server, name, OTHER_PASSWORD)).length).toBeGreaterThan(0)
  expect((await ask('GET', at('/'))).status).toBe(401)
  expect((await call(server, '/api/renew', { method: 'POST', token })).status).toBe(401)
})

test('MX-07 guesses at a password are refused after some', async () => {
  const { name } = await begin()
  const statuses: number[] = []
  for (let guess = 0; guess < 20; guess += 1) statuses.push((await login(server, name, `wrong ${guess}`)).status)
  expect(statuses).toContain(429)
})

test('MX-07 a user changes nothing of the own account that administrators decide', async () => {
  const { id, name, token } = await begin({ perm: perm('create', 'download') })
  const before = json(await admin.get(id))
  const wanted = {
    perm: { ...ALL, admin: true },
    scope: '/',
    commands: ['sh'],
    rules: [{ regex: false, allow: true, path: '/', regexp: null }],
    lockPassword: true,
    username: `${name}-other`,
  }
  const fields = Object.keys(wanted)
  const upper = fields.map(field => field[0]?.toUpperCase() + field.slice(1))
  for (const which of [...fields.map(field => [field]), ...upper.map(field => [field]), fields, ['all'], []]) {
    const body = JSON.stringify({ what: 'user', which, data: { id, ...wanted } })
    await call(server, `/api/users/${id}`, { method: 'PUT', token, body })
    const { perm, scope, commands, rules, lockPassword, username } = json(await admin.get(id))
    expect({ ...before, perm, scope, commands, rules, lockPassword, username }, String(which)).toEqual(before)
  }
})

test('MX-07 without the right to download no content, checksum or link is given out', async () => {
  const { ask } = await begin({ perm: perm('create', 'rename', 'modify', 'delete') })
  for (const path of [
    '/api/raw/a.txt',
    '/api/resources/a.txt',
    '/api/resources/a.txt?checksum=sha256',
    '/api/raw/?algo=zip',
  ]) {
    const answer = await ask('GET', path)
    expect(answer.text, path).not.toMatch(/first|[0-9a-f]{64}/)
    expect(answer.bytes.subarray(0, 2).toString(), path).not.toBe('PK')
  }
  expect((await ask('POST', '/api/share/a.txt', '{}')).status).not.toBe(200)
})

test('MX-07 a copy over another name of the same file keeps its content', async () => {
  const { disk, ask } = await begin()
  await link(join(disk, 'a.txt'), join(disk, 'same.txt'))
  await ask('PATCH', '/api/resources/a.txt?action=copy&override=true&destination=%2Fsame.txt')
  expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('first')
})

test('MX-07 of two saves of one version the second is refused', async () => {
  const { ask, at, token } = await begin()
  const version = (await ask('GET', '/api/raw/a.txt')).headers.get('etag') ?? ''
  const save = (body: string) =>
    call(server, at('/a.txt'), { method: 'PUT', token, body, headers: { 'If-Match': version } })
  expect([(await save('second')).status, (await save('third')).status]).toEqual([200, 412])
})

test('MX-07 a copy to a path that climbs, or that a rule denies, is refused', async () => {
  const rules = [{ regex: false, allow: false, path: '/deny', regexp: null }]
  const { disk, ask } = await begin({ rules })
  await mkdir(join(disk, 'deny'))
  const goals = ['%2F..%2Fx', '%252F%252e%252e%252Fx', '%2Fdocs%2F..%2Fdeny%2Fx', '%2F%2Fdeny%2Fx', '%2Fdeny%2F.%2Fx']
  for (const goal of goals) await ask('PATCH', `/api/resources/a.txt?action=copy&destination=${goal}`)
  expect(await readdir(join(disk, 'deny'))).toEqual([])
  expect(await exists(join(disk, '../x'))).toBe(false)
})

test('MX-07 a body without what it needs is refused, and the server answers the next request', async () => {
  const { id, token } = await begin()
  for (const body of ['{}', '{"what":"user"}', 'null', '[]', '{"what":"user","which":["all"],"data":null}']) {
    const answer = await call(server, `/api/users/${id}`, { method: 'PUT', token, body })
    expect([body, answer.status >= 400 && answer.status < 500]).toEqual([body, true])
  }
  expect((await call(server, '/health')).status).toBe(200)
})

test('MX-07 a name of another system climbs out of no archive', async () => {
  const { disk, ask } = await begin()
  for (const name of ['..\\..\\evil.txt', 'C:\\x.txt']) await writeFile(join(disk, 'docs', name), 'x')
  const folder = await corner(server)
  const file = join(folder.disk, 'docs.zip')
  await writeFile(file, (await ask('GET', '/api/raw/docs/?algo=zip')).bytes)
  const list = 'import json,sys,zipfile; print(json.dumps(zipfile.ZipFile(sys.argv[1]).namelist()))'
  const { stdout } = await promisify(execFile)('python3', ['-c', list, file])
  const names: string[] = json({ text: stdout })
  expect(names.filter(name => /\\|^\/|(^|\/)\.\.(\/|$)|^[A-Za-z]:/.test(name))).toEqual([])
})

test('MX-07 the page is shown in no frame of another site, and no stored page runs scripts', async () => {
  const { disk, ask } = await begin()
  const index = await call(server, '/')
  expect(`${index.headers.get('x-frame-options')} ${index.headers.get('content-security-policy')}`).toMatch(
    /DENY|SAMEORIGIN|frame-ancestors/,
  )
  await writeFile(join(disk, 'page.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const stored = await ask('GET', '/api/raw/page.svg?inline=true')
  expect(`${stored.headers.get('content-security-policy')} ${stored.headers.get('content-disposition')}`).toMatch(
    /sandbox|script-src 'none'|default-src 'none'|attachment/,
  )
})

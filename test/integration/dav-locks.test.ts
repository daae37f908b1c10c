import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import type { AuditPage } from '../../shared/api/audit.ts'
import type { LockList } from '../../shared/api/locks.ts'
import { call, json } from '../api/client.ts'
import { ADMIN_PASSWORD, uniqueName } from '../api/harness.ts'
import type { RawAnswer } from '../api/raw.ts'
import { account, type DavRequest, inFolder, makeToken, openDav, withToken } from './dav-place.ts'

const run = promisify(execFile)
const place = await openDav()
const { dav, server, root, context } = place
const ann = await account(place)
const bob = await account(place)

let top: string
let disk: string
beforeEach(async () => {
  top = `/${uniqueName('t')}`
  disk = join(root, top)
  await mkdir(join(disk, 'docs'), { recursive: true })
  await writeFile(join(disk, 'docs/a.txt'), 'content')
})

const EXCLUSIVE = '<D:lockscope><D:exclusive/></D:lockscope>'
const SHARED = '<D:lockscope><D:shared/></D:lockscope>'
const info = (scope = EXCLUSIVE, owner = '<D:owner><D:href>ann</D:href></D:owner>') =>
  `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:">${scope}<D:locktype><D:write/></D:locktype>${owner}</D:lockinfo>`
const lock = (path: string, more: DavRequest = {}) =>
  dav('LOCK', top + path, {
    user: ann.user,
    body: info(),
    ...more,
    headers: { 'User-Agent': 'rclone/1.60', ...more.headers },
  })
const tokenOf = (answer: RawAnswer) => answer.headers['lock-token']?.slice(1, -1) ?? ''
const locked = async (path: string, more?: DavRequest) => tokenOf(await lock(path, more))
const put = (path: string, headers: Record<string, string> = {}, user: readonly [string, string] = ann.user) =>
  dav('PUT', top + path, { user, headers, body: 'new' })
const unlock = (path: string, token: string, user: readonly [string, string] = ann.user) =>
  dav('UNLOCK', top + path, { user, headers: { 'Lock-Token': `<${token}>` } })
const save = (path: string) =>
  call(server, `/api/resources${top}${path}`, { method: 'PUT', token: ann.session, body: 'from the interface' })
const listed = async (path: string): Promise<LockList['locks']> =>
  json(await call(server, `/api/locks${top}${path}`, { token: bob.session })).locks

describe('LOCK', () => {
  test('stops the interface and other programs, until UNLOCK', async () => {
    const answer = await lock('/docs/a.txt', { headers: { Timeout: 'Second-600' } })
    expect(answer.status).toBe(200)
    const token = tokenOf(answer)
    expect(token).toMatch(/^opaquelocktoken:[0-9a-f-]{36}$/)
    const text = answer.body.toString()
    expect(text).toContain(`<D:locktoken><D:href>${token}</D:href></D:locktoken>`)
    expect(text).toContain('<D:owner><D:href xmlns:D="DAV:">ann</D:href></D:owner><D:timeout>Second-600</D:timeout>')
    expect(text).toContain(`<D:lockroot><D:href>/dav${top}/docs/a.txt</D:href></D:lockroot>`)
    const [item] = await listed('/docs/a.txt')
    expect(item).toMatchObject({ who: ann.name, label: 'rclone', via: 'dav', depth: '0', mine: false })
    expect((await save('/docs/a.txt')).status).toBe(423)
    expect((await put('/docs/a.txt')).status).toBe(423)
    expect((await put('/docs/a.txt', { If: `(<${token}>)` })).status).toBe(204)
    expect((await unlock('/docs/a.txt', token)).status).toBe(204)
    expect((await save('/docs/a.txt')).status).toBe(200)
  })

  test('makes an empty file where nothing stands, in a folder that exists', async () => {
    expect((await lock('/docs/new.txt')).status).toBe(201)
    expect(await readFile(join(disk, 'docs/new.txt'), 'utf8')).toBe('')
    expect((await lock('/nowhere/new.txt')).status).toBe(409)
  })

  test('of a folder protects all in it, unless its depth is 0', async () => {
    const token = await locked('/docs')
    expect((await put('/docs/a.txt')).status).toBe(423)
    expect((await put('/docs/new.txt', { If: `<${place.url}${top}/docs> (<${token}>)` })).status).toBe(201)
    await unlock('/docs', token)
    await locked('/docs', { headers: { Depth: '0' } })
    expect((await put('/docs/a.txt')).status).toBe(204)
    expect((await put('/docs/other.txt')).status).toBe(423)
    expect((await lock('/docs', { headers: { Depth: '1' } })).status).toBe(400)
  })

  test('without a body extends a lock, also from an item in its folder', async () => {
    const token = await locked('/docs', { headers: { Timeout: 'Second-60' } })
    const headers = { If: `(<${token}>)`, Timeout: 'Infinite' }
    const answer = await dav('LOCK', `${top}/docs/a.txt`, { user: ann.user, headers })
    expect(answer.status).toBe(200)
    expect(answer.headers['lock-token']).toBeUndefined()
    expect(answer.body.toString()).toContain('<D:timeout>Second-3600</D:timeout>')
    expect((await dav('LOCK', `${top}/docs`, { user: ann.user })).status).toBe(400)
    const other = { If: '(Not <opaquelocktoken:other>)' }
    expect((await dav('LOCK', `${top}/docs`, { user: ann.user, headers: other })).status).toBe(412)
  })

  test('is refused where it conflicts, and shared ones do not', async () => {
    await locked('/docs/a.txt', { body: info(SHARED) })
    expect((await lock('/docs/a.txt', { body: info(SHARED), user: bob.user })).status).toBe(200)
    const answer = await lock('/docs', { user: bob.user })
    expect(answer.status).toBe(423)
    expect(answer.body.toString()).toContain('<D:no-conflicting-lock>')
  })

  test('DAV-01 with a document type is refused', async () => {
    const body = info().replace('?>', '?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>')
    expect((await lock('/docs/a.txt', { body })).status).toBe(400)
    expect((await lock('/docs/a.txt', { body: '<x/>' })).status).toBe(400)
    expect(await listed('/docs/a.txt')).toEqual([])
  })

  test('is in the audit log, as is UNLOCK', async () => {
    const token = await locked('/docs/a.txt')
    await unlock('/docs/a.txt', token)
    const { rows } = json(await call(server, '/api/audit', { token: place.admin.token }))
    const own = rows.filter(({ path }: { path: string }) => path === `${top}/docs/a.txt`)
    expect(own.map(({ action }: { action: string }) => action)).toEqual(['unlock', 'lock'])
  })
})

describe('DAV-11 the token of another user', () => {
  test('lets no change pass, and does not unlock', async () => {
    const token = await locked('/docs/a.txt')
    expect((await put('/docs/a.txt', { If: `(<${token}>)` }, bob.user)).status).toBe(423)
    expect((await unlock('/docs/a.txt', token, bob.user)).status).toBe(403)
    expect((await unlock('/docs/a.txt', 'opaquelocktoken:guess')).status).toBe(409)
    expect((await unlock('/docs', token)).status).toBe(409)
    expect((await dav('UNLOCK', `${top}/docs/a.txt`, { user: ann.user })).status).toBe(400)
    expect(await readFile(join(disk, 'docs/a.txt'), 'utf8')).toBe('content')
  })
})

describe('the header If', () => {
  test('refuses before locks do, and when it is malformed', async () => {
    const token = await locked('/docs/a.txt')
    expect((await put('/docs/a.txt', { If: '(<opaquelocktoken:other>)' })).status).toBe(412)
    expect((await put('/docs/a.txt', { If: `(<${token}> ["other"])` })).status).toBe(412)
    expect((await put('/docs/a.txt', { If: `<${token}>` })).status).toBe(400)
    const { headers } = await dav('HEAD', `${top}/docs/a.txt`, { user: ann.user })
    expect((await put('/docs/a.txt', { If: `(<${token}> [${headers.etag}])` })).status).toBe(204)
  })

  test('has state only for what is below this address, on any host', async () => {
    const token = await locked('/docs/a.txt')
    const own = `/dav${top}/docs/a.txt`
    const holds = async (tag: string) => (await put('/docs/a.txt', { If: `<${tag}> (<${token}>)` })).status === 204
    expect(await holds(own)).toBe(true)
    expect(await holds(`https://files.example${own}`)).toBe(true)
    expect(await holds(`/davx${top}/docs/a.txt`)).toBe(false)
    expect(await holds(`/dav${top}/other/../docs/a.txt`)).toBe(false)
  })
})

describe('an API token', () => {
  test('DAV-15 of one folder locks nothing outside it, and sees no state there', async () => {
    const { secret } = await makeToken(place, ann.id, { folders: [inFolder(`${top}/docs`)] })
    await writeFile(join(disk, 'outside.txt'), 'outside')
    const token = await locked('/outside.txt')
    const user = withToken(secret).user
    expect((await lock('/outside.txt', { user })).status).toBe(403)
    expect((await lock('/new.txt', { user })).status).toBe(403)
    expect((await put('/docs/a.txt', { If: `</dav${top}/outside.txt> (<${token}>)` }, user)).status).toBe(412)
  })

  test('that only reads takes no lock', async () => {
    const { secret } = await makeToken(place, ann.id, { scopes: ['read'] })
    expect((await lock('/docs/a.txt', withToken(secret))).status).toBe(403)
  })

  test('DAV-14 takes its locks with it when it is ended', async () => {
    const { secret, token } = await makeToken(place, ann.id)
    await locked('/docs/a.txt', withToken(secret))
    expect((await save('/docs/a.txt')).status).toBe(423)
    await context.endTokens(ann.id, token.id)
    expect((await save('/docs/a.txt')).status).toBe(200)
  })
})

describe('PROPFIND', () => {
  const find = async (path: string, depth: string, names: string) =>
    (
      await dav('PROPFIND', top + path, {
        user: bob.user,
        headers: { Depth: depth },
        body: `<D:propfind xmlns:D="DAV:"><D:prop>${names}</D:prop></D:propfind>`,
      })
    ).body
      .toString()
      .split('<D:response>')
      .slice(1)

  test('names the locks that hold at each item, of any user', async () => {
    await mkdir(join(disk, 'R&D'))
    await writeFile(join(disk, 'R&D/b.txt'), 'b')
    const token = await locked('/R&D')
    const answers = await find('', 'infinity', '<D:lockdiscovery/>')
    const having = answers.filter(answer => answer.includes(token)).map(answer => /<D:href>(.*?)</.exec(answer)?.[1])
    expect(having.sort()).toEqual([`/dav${top}/R%26D/`, `/dav${top}/R%26D/b.txt`])
    expect(answers.join('')).toContain(`<D:lockroot><D:href>/dav${top}/R%26D</D:href></D:lockroot>`)
    expect(answers.join('')).toContain('<D:depth>infinity</D:depth>')
  })

  test('has an empty list for what is not locked, and the locks that there can be', async () => {
    await lock('/docs', { headers: { Depth: '0' } })
    const [answer] = await find('/docs/a.txt', '0', '<D:lockdiscovery/><D:supportedlock/>')
    expect(answer).toContain('<D:lockdiscovery/>')
    expect(answer?.match(/<D:lockentry>/g)).toHaveLength(2)
    expect(answer).not.toContain('404')
  })
})

test('a lock and its row of the audit log are written in one transaction', async () => {
  const { db } = context
  await sql`create table probe (audited integer)`.execute(db)
  await sql`create trigger probing after insert on locks begin
    insert into probe select count(*) from audit where action = 'lock' and target like '%' || new.id || '%';
  end`.execute(db)
  await locked('/docs/a.txt')
  expect((await lock('/docs/new.txt')).status).toBe(201)
  expect((await sql`select audited from probe`.execute(db)).rows).toEqual([{ audited: 1 }, { audited: 1 }])
  await sql`drop trigger probing`.execute(db)
  const { rows } = json(await call(server, `/api/audit?path=${top}`, { token: place.admin.token })) as AuditPage
  const row = { action: 'lock', outcome: 'done', way: 'dav', username: ann.name }
  expect(rows.filter(({ action }) => action === 'lock')).toMatchObject([
    { ...row, path: `${top}/docs/new.txt`, target: expect.stringMatching(/^lock:[0-9a-f]+ rclone$/) },
    { ...row, path: `${top}/docs/a.txt` },
  ])
})

test('a lock is taken also where the audit log cannot be written, whose row follows', async () => {
  const { db } = context
  await sql`create trigger refusing before insert on audit begin select raise(abort, 'no'); end`.execute(db)
  const token = await locked('/docs/a.txt')
  expect((await put('/docs/a.txt')).status).toBe(423)
  await sql`drop trigger refusing`.execute(db)
  await unlock('/docs/a.txt', token)
  await context.audit.flush()
  const { rows } = json(await call(server, `/api/audit?path=${top}`, { token: place.admin.token })) as AuditPage
  expect(rows.filter(({ action }) => action === 'lock')).toHaveLength(1)
})

test('litmus has no failure in its suite locks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'litmus-'))
  const env = { ...process.env, TESTS: 'locks' }
  const { stdout } = await run('litmus', [`${place.url}${top}/`, 'admin', ADMIN_PASSWORD], { cwd: folder, env })
  await rm(folder, { recursive: true })
  expect(stdout).not.toMatch(/FAIL|SKIPPED/)
  expect(stdout).toMatch(/of 41 tests run: 41 passed, 0 failed/)
})

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { call, json, signIn } from '../api/client.ts'
import { entriesIn } from '../api/descriptors.ts'
import { ADMIN_PASSWORD, uniqueName } from '../api/harness.ts'
import { account, basic, inFolder, makeToken, openDav, withToken } from './dav-place.ts'

const run = promisify(execFile)
const NONE = { create: false, rename: false, modify: false, delete: false, share: false, download: false }
const place = await openDav()
const { dav, server, root, log } = place
const ann = await account(place)

let top: string
let disk: string
beforeEach(async () => {
  top = `/${uniqueName('t')}`
  disk = join(root, top)
  await mkdir(disk)
  await writeFile(join(disk, 'a.txt'), 'content')
})

describe('who may enter', () => {
  test('is asked for a password by Basic, with a hint at API tokens', async () => {
    const answer = await dav('GET', `${top}/a.txt`, { user: false })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe('Basic realm="Filigree", charset="UTF-8"')
    expect(answer.headers['x-error-code']).toBe('unauthorized')
    expect(answer.body.toString()).toContain('API token')
  })

  test('DAV-17 a browser that navigates is not asked for a password', async () => {
    const headers = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'none' }
    const answer = await dav('GET', '/', { user: false, headers })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBeUndefined()
    expect(answer.headers['content-type']).toMatch(/^text\/plain/)
  })

  test('enters with the password of the account, also after the domain of Windows', async () => {
    expect((await dav('GET', `${top}/a.txt`, { user: ann.user })).body.toString()).toBe('content')
    expect((await dav('GET', `${top}/a.txt`, { user: [`HOME\\${ann.name}`, ann.user[1]] })).status).toBe(200)
  })

  test.each([
    ['as the password', (secret: string) => basic('any', secret)],
    ['as the name', (secret: string) => basic(secret, '')],
    ['as Bearer', (secret: string) => `Bearer ${secret}`],
  ])('enters with an API token %s', async (_name, header) => {
    const { secret } = await makeToken(place, ann.id)
    const headers = { Authorization: header(secret) }
    expect((await dav('GET', `${top}/a.txt`, { user: false, headers })).status).toBe(200)
  })

  test('DAV-08 checks a password once, in a session that the list shows and can end', async () => {
    const { user, session } = await account(place)
    const headers = { 'User-Agent': 'davfs2/1.6' }
    const answers = await Promise.all([...Array(8)].map(() => dav('GET', `${top}/a.txt`, { user, headers })))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const sessions = async () =>
      (json(await call(server, '/api/sessions', { token: session })) as { id: string; agent: string }[]).filter(
        ({ agent }) => agent === 'davfs2/1.6',
      )
    const [only, ...more] = await sessions()
    expect(more).toEqual([])
    expect((await call(server, `/api/sessions/${only?.id}`, { method: 'DELETE', token: session })).status).toBe(204)
    expect((await dav('GET', `${top}/a.txt`, { user, headers })).status).toBe(200)
    expect((await sessions()).map(({ id }) => id)).not.toEqual([only?.id])
  })

  test('DAV-13 is refused alike with a wrong password and an unknown name, and then has to wait', async () => {
    const { name, user } = await account(place)
    const wrong = await dav('GET', '/', { user: [name, 'wrong'] })
    const unknown = await dav('GET', '/', { user: [uniqueName('nobody'), 'wrong'] })
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.body).toEqual(unknown.body)
    await Promise.all([...Array(8)].map((_, guess) => dav('GET', '/', { user: [name, `wrong ${guess}`] })))
    const late = await dav('GET', '/', { user })
    expect(late.status).toBe(429)
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(0)
    expect(await readFile(log, 'utf8')).toContain('"msg":"/dav: 401 127.0.0.1"')
  })

  test('DAV-14 is refused at once with a token that was ended', async () => {
    const { token, secret } = await makeToken(place, ann.id)
    expect((await dav('GET', `${top}/a.txt`, withToken(secret))).status).toBe(200)
    await place.context.endTokens(ann.id, token.id)
    expect((await dav('GET', `${top}/a.txt`, withToken(secret))).status).toBe(401)
  })

  test('DAV-15 sees and changes nothing outside the folder of a token, and nothing with one that reads', async () => {
    await mkdir(join(disk, 'in'))
    await writeFile(join(disk, 'in/b.txt'), 'b')
    const { secret } = await makeToken(place, ann.id, { folders: [inFolder(`${top}/in`)], scopes: ['read'] })
    expect((await dav('GET', `${top}/in/b.txt`, withToken(secret))).status).toBe(200)
    expect((await dav('GET', `${top}/a.txt`, withToken(secret))).status).toBe(403)
    expect((await dav('PUT', `${top}/in/b.txt`, { ...withToken(secret), body: 'x' })).status).toBe(403)
    expect((await dav('DELETE', `${top}/in/b.txt`, withToken(secret))).status).toBe(403)
    expect(await readFile(join(disk, 'in/b.txt'), 'utf8')).toBe('b')
  })

  test('DAV-27 does not enter with a session, and not with Basic at the API', async () => {
    const session = await signIn(server)
    const headers = { 'X-Auth': session, Cookie: `auth=${session}` }
    expect((await dav('GET', `${top}/a.txt`, { user: false, headers })).status).toBe(401)
    const api = await fetch(`${server.url}/api/resources${top}/a.txt`, {
      headers: { Authorization: basic('admin', ADMIN_PASSWORD) },
    })
    expect(api.status).toBe(401)
  })

  test.each([
    ['the page of another site', { Origin: 'https://evil.example' }],
    ['a request that a browser calls cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a page that would run it', { 'Sec-Fetch-Dest': 'script' }],
  ])('DAV-16 is not %s', async (_name, headers) => {
    const answer = await dav('PUT', `${top}/a.txt`, { headers, body: 'x' })
    expect(answer.status).toBe(403)
    expect(Object.keys(answer.headers).filter(name => name.startsWith('access-control'))).toEqual([])
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('content')
  })
})

describe('OPTIONS', () => {
  test.each(['', '/', '/missing'])('says what WebDAV is here, at /dav%s', async path => {
    const answer = await dav('OPTIONS', path, { user: false })
    expect(answer.status).toBe(200)
    expect(answer.headers.dav).toMatch(/^1, /)
    expect(answer.headers['ms-author-via']).toBe('DAV')
    expect(answer.headers.allow).toContain('MKCOL')
  })

  test('says it also for the folder above, which Windows asks', async () => {
    const answer = await fetch(`${server.url}/`, { method: 'OPTIONS' })
    expect([answer.status, answer.headers.get('ms-author-via')]).toEqual([200, 'DAV'])
  })
})

describe('a file', () => {
  test('is read whole, in ranges and by conditions, and never runs', async () => {
    const whole = await dav('GET', `${top}/a.txt`)
    expect(whole.body.toString()).toBe('content')
    expect(whole.headers['content-security-policy']).toContain('sandbox')
    expect(whole.headers['x-content-type-options']).toBe('nosniff')
    const part = await dav('GET', `${top}/a.txt`, { headers: { Range: 'bytes=3-' } })
    expect([part.status, part.body.toString()]).toEqual([206, 'tent'])
    const known = await dav('GET', `${top}/a.txt`, { headers: { 'If-None-Match': whole.headers.etag ?? '' } })
    expect(known.status).toBe(304)
    const head = await dav('HEAD', `${top}/a.txt`)
    expect([head.status, head.headers['content-length']]).toEqual([200, '7'])
  })

  test('is created, then replaced, with the version that GET has', async () => {
    const made = await dav('PUT', `${top}/new.txt`, { body: 'one' })
    expect(made.status).toBe(201)
    const replaced = await dav('PUT', `${top}/new.txt`, { body: 'two' })
    expect(replaced.status).toBe(204)
    expect((await dav('GET', `${top}/new.txt`)).headers.etag).toBe(replaced.headers.etag)
    expect(await readFile(join(disk, 'new.txt'), 'utf8')).toBe('two')
  })

  test('has the time that the program names', async () => {
    const answer = await dav('PUT', `${top}/new.txt`, { body: 'one', headers: { 'X-OC-Mtime': '1500000000.5' } })
    expect(answer.headers['x-oc-mtime']).toBe('accepted')
    expect((await stat(join(disk, 'new.txt'))).mtimeMs).toBe(1_500_000_000_500)
  })

  test.each([
    ['another version', { 'If-Match': '"other"' }, 'a.txt', 412],
    ['one that exists', { 'If-None-Match': '*' }, 'a.txt', 412],
    ['one that does not', { 'If-Match': '*' }, 'new.txt', 412],
    ['a tag that is none', { 'If-None-Match': 'JoplinIgnore-4711' }, 'a.txt', 204],
    ['a part', { 'Content-Range': 'bytes 0-1/7' }, 'a.txt', 400],
    ['a compressed body', { 'Content-Encoding': 'gzip' }, 'a.txt', 415],
    ['a time that is none', { 'X-OC-Mtime': 'now' }, 'a.txt', 400],
  ])('meets the conditions of a PUT: %s', async (_name, headers, name, status) => {
    expect((await dav('PUT', `${top}/${name}`, { headers, body: 'other' })).status).toBe(status)
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe(status === 204 ? 'other' : 'content')
    expect(existsSync(join(disk, 'new.txt'))).toBe(false)
  })

  test('DAV-24 is not replaced by fewer bytes than were announced', async () => {
    const headers = { Authorization: basic('admin', ADMIN_PASSWORD), 'X-Expected-Entity-Length': '10' }
    const body = new Blob(['ab']).stream()
    const answer = await fetch(`${place.url}${top}/a.txt`, { method: 'PUT', headers, body, duplex: 'half' })
    expect(answer.status).toBe(400)
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('content')
  })

  test.each([
    ['without its folder', 'no/new.txt', 409],
    ['in a file', 'a.txt/new.txt', 409],
    ['named as a folder', 'new/', 405],
    ['in place of a folder', 'sub', 405],
  ])('is not created %s', async (_name, path, status) => {
    await mkdir(join(disk, 'sub'))
    expect((await dav('PUT', `${top}/${path}`, { body: 'x' })).status).toBe(status)
    expect((await readdir(disk)).sort()).toEqual(['a.txt', 'sub'])
  })

  test('is not created in a folder that was deleted during the upload', async () => {
    await mkdir(join(disk, 'sub'))
    const body = new ReadableStream({
      async start(pieces) {
        pieces.enqueue(Buffer.from('begun'))
        while ((await entriesIn(join(disk, 'sub'), process)) === 0) await new Promise(setImmediate)
        expect((await dav('DELETE', `${top}/sub`)).status).toBe(204)
        pieces.close()
      },
    })
    const headers = { Authorization: basic('admin', ADMIN_PASSWORD) }
    const answer = await fetch(`${place.url}${top}/sub/new.txt`, { method: 'PUT', headers, body, duplex: 'half' })
    expect(answer.status).toBe(409)
    expect(await readdir(disk)).toEqual(['a.txt'])
  })

  test('is replaced by whom may only modify, and created by whom may only create', async () => {
    const modifier = await account(place, { perm: { ...NONE, modify: true, download: true } })
    const creator = await account(place, { perm: { ...NONE, create: true } })
    const put = (path: string, { user }: typeof modifier) => dav('PUT', `${top}/${path}`, { user, body: 'x' })
    expect((await put('a.txt', modifier)).status).toBe(204)
    expect((await put('b.txt', modifier)).status).toBe(403)
    expect((await put('b.txt', creator)).status).toBe(201)
    expect((await put('b.txt', creator)).status).toBe(403)
  })

  test('goes to the trash, and its folder with what is in it', async () => {
    const gone = await dav('DELETE', `${top}/a.txt`)
    expect(gone.status).toBe(204)
    expect(gone.headers['x-kept']).toBeDefined()
    expect((await dav('DELETE', `${top}/a.txt`)).status).toBe(404)
    await mkdir(join(disk, 'sub/deep'), { recursive: true })
    expect((await dav('DELETE', `${top}/sub`, { headers: { Depth: '0' } })).status).toBe(400)
    expect((await dav('DELETE', `${top}/sub/`)).status).toBe(204)
    expect(await readdir(disk)).toEqual([])
  })
})

describe('a folder', () => {
  test('is made once, in a folder that exists, without a body', async () => {
    expect((await dav('MKCOL', `${top}/new/`)).status).toBe(201)
    expect((await dav('MKCOL', `${top}/new`)).status).toBe(405)
    expect((await dav('MKCOL', `${top}/a.txt`)).status).toBe(405)
    expect((await dav('MKCOL', `${top}/no/new`)).status).toBe(409)
    expect((await dav('MKCOL', `${top}/other`, { body: '<x/>' })).status).toBe(415)
    expect((await readdir(disk)).sort()).toEqual(['a.txt', 'new'])
  })

  test('is listed compressed for programs that take it', async () => {
    const list = async (coding: string) => {
      const headers = { Authorization: basic('admin', ADMIN_PASSWORD), Depth: '1', 'Accept-Encoding': coding }
      const answer = await fetch(`${place.url}${top}/`, { method: 'PROPFIND', headers })
      return [answer.headers.get('content-encoding'), await answer.text()]
    }
    const [coding, zipped] = await list('gzip')
    expect([coding, zipped]).toEqual(['gzip', (await list('identity'))[1]])
    expect(zipped).toContain('a.txt')
  })

  test('is a line of text for programs that read it', async () => {
    const answer = await dav('GET', `${top}/`)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
  })
})

describe('refused addresses', () => {
  test.each(['//x', '/./x', '/%2e%2e/x', '/a%00b', '/x?y', '/x#y', '/%zz'])('are bad requests: %s', async path => {
    expect((await dav('PUT', path, { body: 'x' })).status).toBe(400)
  })

  test('DAV-20 are links out of the scope', async () => {
    await symlink('/etc/hostname', join(disk, 'out'))
    for (const method of ['GET', 'PUT'])
      expect((await dav(method, `${top}/out`, { user: ann.user, ...(method === 'PUT' && { body: 'x' }) })).status).toBe(
        403,
      )
  })

  test('DAV-25 are those of requests that repeat a header which decides', async () => {
    const headers = { Depth: '0', depth: '1' }
    expect((await dav('DELETE', `${top}/a.txt`, { headers })).status).toBe(400)
    expect(existsSync(join(disk, 'a.txt'))).toBe(true)
  })

  test('name the methods that there are', async () => {
    const answer = await dav('POST', `${top}/a.txt`, { body: 'x' })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toContain('PUT')
  })
})

describe('the log of the host', () => {
  test('has the changes of WebDAV among all others', async () => {
    await dav('PUT', `${top}/new.txt`, { user: ann.user, body: 'x' })
    await dav('DELETE', `${top}/new.txt`, { user: ann.user })
    const { rows } = json(await call(server, '/api/audit', { token: await signIn(server) })) as {
      rows: { action: string; path?: string }[]
    }
    const own = rows.filter(({ path }) => path === `${top}/new.txt`)
    expect(own.map(({ action }) => action).sort()).toEqual(['delete', 'upload'])
  })
})

describe('litmus', () => {
  test.each([['basic'], ['copymove'], ['props'], ['http']])('has no failure in its suite %s', async suite => {
    const folder = await mkdtemp(join(tmpdir(), 'litmus-'))
    const env = { ...process.env, TESTS: suite }
    const { stdout } = await run('litmus', [`${place.url}${top}/`, 'admin', ADMIN_PASSWORD], { cwd: folder, env })
    await rm(folder, { recursive: true })
    expect(stdout).toMatch(/(\d+) passed, 0 failed/)
    expect(stdout).not.toMatch(/FAIL|SKIPPED/)
  })
})

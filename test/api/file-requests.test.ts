import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { manager, perm } from './accounts.ts'
import { type Answer, call, encode, json, signIn } from './client.ts'
import { uniqueName } from './harness.ts'
import { openInstance } from './instance.ts'
import { linkTo, load, share, viewShare, withPassword } from './links-client.ts'
import { newSharer } from './sharers.ts'

const server = await openInstance()
const admin = await manager(server)
const ann = await newSharer(server, admin)
const bob = await newSharer(server, admin)

let folder: string
let disk: string

beforeEach(async () => {
  folder = `/${uniqueName('inbox')}`
  disk = join(ann.home, folder)
  await mkdir(disk)
})

const CHUNK = { 'Content-Type': 'application/offset+octet-stream' }
const b64 = (text: string) => Buffer.from(text).toString('base64')
const request = (terms: object = {}) => linkTo(server, ann.token, `${folder}/`, { kind: 'drop', ...terms })

interface Sent {
  /** Announced, if not the length of the body. */
  length?: number
  headers?: Record<string, string>
  query?: string
}

/** Begins a file, with all of it unless announced otherwise. */
const send = (hash: string, name: string, body = 'content', { length, headers, query = '' }: Sent = {}) =>
  call(server, `/api/public/tus/${hash}${encode(`/${name}`)}${query}`, {
    method: 'POST',
    headers: { ...CHUNK, 'Upload-Length': String(length ?? Buffer.byteLength(body)), ...headers },
    body,
  })

const pathOf = (answer: Answer) =>
  new URL(answer.headers.get('location') ?? '', server.url).pathname.replace(
    new URL(server.url).pathname.replace(/\/$/, ''),
    '',
  )
const patch = (path: string, offset: number, body: string, headers: Record<string, string> = {}) =>
  call(server, path, { method: 'PATCH', headers: { ...CHUNK, 'Upload-Offset': String(offset), ...headers }, body })
/** The names in a folder, without unfinished files. */
const arrived = async (path: string) => (await readdir(path)).filter(name => !name.startsWith('.~fg-'))
const statusesOf = (answers: Answer[]) => answers.map(({ status }) => status)
const deliveries = async (hash: string, token = ann.token, query = '') =>
  json(await call(server, `/api/links/${hash}/deliveries${query}`, { token }))
const change = (hash: string, body: object, token = ann.token) =>
  call(server, `/api/links/${hash}`, { method: 'PATCH', token, body: JSON.stringify(body) })
const shown = async (hash: string, headers: Record<string, string> = {}) =>
  json(await viewShare(server, hash, '', '', headers))

describe('a file request', () => {
  test('has its kind after the fields that clients of File Browser know', async () => {
    const link = await request({ note: 'Your contract, please', maxItems: 3, label: 'Contracts' })
    expect(link).toEqual({
      hash: expect.any(String),
      path: `${folder}/`,
      userID: ann.id,
      expire: 0,
      hasPassword: false,
      label: 'Contracts',
      kind: 'drop',
      note: 'Your contract, please',
      sender: 'optional',
      maxFileBytes: null,
      maxBytes: null,
      maxItems: 3,
      received: { items: 0, bytes: 0 },
    })
    expect(Object.keys(link).slice(0, 5)).toEqual(['hash', 'path', 'userID', 'expire', 'hasPassword'])
  })

  test('needs a folder, the permission to create there, and terms that make sense', async () => {
    await writeFile(join(disk, 'file.txt'), '')
    const file = await share(server, ann.token, `${folder}/file.txt`, { kind: 'drop' })
    expect(file.status).toBe(409)
    const reader = await newSharer(server, admin, { perm: perm('share', 'download') })
    expect((await share(server, reader.token, '/docs/', { kind: 'drop' })).status).toBe(403)
    for (const terms of [{ maxItems: 0 }, { maxBytes: -1 }, { sender: 'maybe' }, { note: 'x'.repeat(1001) }]) {
      expect((await share(server, ann.token, `${folder}/`, { kind: 'drop', ...terms })).status).toBe(400)
    }
    const viewed = await share(server, ann.token, `${folder}/`, { maxItems: 3 })
    expect([viewed.status, viewed.text]).toEqual([400, expect.stringContaining('maxItems')])
  })

  test('takes a file in one call, and the owner learns who sent it', async () => {
    const { hash } = await request()
    const metadata = `sender ${b64('Änne')},note ${b64('As agreed')}`
    const answer = await send(hash, 'Größe 1.txt', 'hello', { headers: { 'Upload-Metadata': metadata } })
    expect(answer.status).toBe(201)
    expect(await readFile(join(disk, 'Größe 1.txt'), 'utf8')).toBe('hello')
    expect(await deliveries(hash)).toEqual({
      deliveries: [
        {
          ...{ name: 'Größe 1.txt', given: 'Größe 1.txt', sender: 'Änne', note: 'As agreed', size: 5 },
          time: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ],
    })
    const [link] = json(await call(server, `/api/share${folder}`, { token: ann.token }))
    expect(link.received).toEqual({ items: 1, bytes: 5 })
    const { rows } = json(await call(server, '/api/audit?action=upload', { token: await signIn(server) }))
    expect(rows[0]).toMatchObject({ way: 'share', outcome: 'done', target: expect.stringMatching(/ ← Änne$/) })
    expect(rows[0].path).toMatch(/\/Größe 1\.txt$/)
  })

  test('takes a file in pieces, with checksums, and continues after an interruption', async () => {
    const { hash } = await request()
    const sum = `sha256 ${createHash('sha256').update('abcdef').digest('base64')}`
    const begun = await send(hash, 'a.bin', '', { length: 6, headers: { 'Upload-Metadata': `checksum ${b64(sum)}` } })
    const path = pathOf(begun)
    expect(path).toMatch(new RegExp(`^/api/public/tus/${hash}/-/[\\w-]{22}$`))
    expect((await patch(path, 0, 'abc')).headers.get('upload-offset')).toBe('3')
    const head = await call(server, path, { method: 'HEAD' })
    expect([head.headers.get('upload-offset'), head.headers.get('upload-length')]).toEqual(['3', '6'])
    expect(statusesOf([await patch(path, 1, 'x'), await patch(path, 3, 'defg'), await patch(path, 3, 'def')])).toEqual([
      409, 413, 204,
    ])
    expect(await readFile(join(disk, 'a.bin'), 'utf8')).toBe('abcdef')
    const after = await call(server, path, { method: 'GET' })
    expect([after.status, after.headers.get('upload-offset')]).toEqual([200, '6'])
    expect(statusesOf([await patch(path, 6, ''), await patch(path, 0, 'x', { 'Content-Type': 'text/plain' })])).toEqual(
      [404, 415],
    )
  })

  test('gives back what a cancelled file held', async () => {
    const { hash } = await request({ maxItems: 1, maxBytes: 10 })
    const path = pathOf(await send(hash, 'a', '', { length: 10 }))
    expect((await shown(hash)).request).toMatchObject({ bytesLeft: 0, itemsLeft: 0 })
    expect((await send(hash, 'b', 'x')).status).toBe(413)
    expect((await call(server, path, { method: 'DELETE' })).status).toBe(204)
    expect((await shown(hash)).request).toMatchObject({ bytesLeft: 10, itemsLeft: 1 })
    expect((await send(hash, 'b', 'x')).status).toBe(201)
    expect(await readdir(disk)).toEqual(['b'])
  })

  test('asks for a name where one is required, and takes none where none is asked for', async () => {
    const { hash } = await request({ sender: 'required' })
    expect((await send(hash, 'a')).status).toBe(400)
    expect((await send(hash, 'a', 'x', { headers: { 'Upload-Metadata': `sender ${b64(' ')}` } })).status).toBe(400)
    expect((await change(hash, { sender: 'no' })).status).toBe(200)
    expect((await send(hash, 'a', 'x', { headers: { 'Upload-Metadata': `sender ${b64('Eve')}` } })).status).toBe(201)
    expect((await deliveries(hash)).deliveries[0].sender).toBe('')
  })

  test('is changed without a new address, and lists what arrived by pages', async () => {
    const { hash } = await request()
    for (const name of ['a', 'b']) await send(hash, name)
    expect(json(await change(hash, { label: ' Inbox ', note: 'New', maxItems: 2 }))).toMatchObject({
      ...{ label: 'Inbox', note: 'New', maxItems: 2 },
    })
    expect((await send(hash, 'c')).status).toBe(413)
    expect(json(await change(hash, { maxItems: null, label: '' }))).not.toHaveProperty('label')
    expect((await send(hash, 'c')).status).toBe(201)
    const { deliveries: files, next } = await deliveries(hash)
    expect([files.map(({ name }: { name: string }) => name), next]).toEqual([['c', 'b', 'a'], undefined])
    const before = `${Date.parse(files[0].time)}.${'0'.repeat(22)}`
    expect((await deliveries(hash, ann.token, `?before=${before}`)).deliveries).toHaveLength(2)
    const wrong = await call(server, `/api/links/${hash}/deliveries?before=x`, { token: ann.token })
    expect(wrong.status).toBe(400)
  })

  test('is shown by administrators and its owner only', async () => {
    const { hash } = await request()
    const path = `/api/links/${hash}/deliveries`
    const [nobody, other, chief, missing] = await Promise.all([
      call(server, path),
      call(server, path, { token: bob.token }),
      call(server, path, { token: admin.token }),
      call(server, '/api/links/nothing/deliveries', { token: ann.token }),
    ])
    expect(statusesOf([nobody, other, chief, missing] as Answer[])).toEqual([401, 403, 200, 404])
  })
})

describe('a visitor of a file request', () => {
  test('PUB-01 sees an empty folder, and everything that reads is refused', async () => {
    await writeFile(join(disk, 'secret.txt'), 'secret')
    await mkdir(join(disk, 'sub'))
    const { hash } = await request({ note: 'Hello', maxFileBytes: 100 })
    const answer = await viewShare(server, hash)
    expect(json(answer)).toMatchObject({
      ...{ items: [], numFiles: 0, numDirs: 0, path: '/', isDir: true, size: 0 },
      request: { note: 'Hello', sender: 'optional', maxFileBytes: 100, bytesLeft: null, itemsLeft: null },
    })
    expect(answer.text).not.toContain('secret')
    const reads = await Promise.all([
      ...['/secret.txt', '/missing.txt', '/sub'].map(sub => viewShare(server, hash, sub)),
      ...['', '/secret.txt', '/missing.txt'].map(sub => load(server, hash, sub)),
      ...['preview/thumb', 'preview/big', 'subtitle', 'archives/list', 'archives/member', 'picture-sizes'].map(kind =>
        call(server, `/api/public/${kind}/${hash}/secret.txt`),
      ),
    ])
    expect(new Set(statusesOf(reads))).toEqual(new Set([403]))
  })

  test('PUB-01 delivers through no link of another kind, before or after its password', async () => {
    const { hash } = await linkTo(server, ann.token, `${folder}/`)
    const locked = await linkTo(server, ann.token, `${folder}/`, { password: 'secret' })
    expect((await send(hash, 'a')).status).toBe(403)
    expect((await send(locked.hash, 'a')).status).toBe(401)
    expect((await send(locked.hash, 'a', 'x', { headers: withPassword('secret') })).status).toBe(403)
    expect((await send('nothing', 'a')).status).toBe(404)
    expect(await readdir(disk)).toEqual([])
  })

  test('PUB-02 cannot tell which names are taken, and overwrites nothing', async () => {
    const { hash } = await request()
    const outside = join(ann.home, uniqueName('outside'))
    await mkdir(outside)
    await writeFile(join(disk, 'taken.txt'), 'mine')
    await mkdir(join(disk, 'folder'))
    await symlink('/etc', join(disk, 'link'))
    const answers = []
    for (const name of ['free.txt', 'taken.txt', 'folder', 'link']) answers.push(await send(hash, name, 'theirs'))
    const [first, ...others] = answers.map(({ status, text, headers }) => {
      const names = [...headers.keys()].filter(name => name !== 'date').sort()
      return { status, text, names }
    })
    expect(first?.status).toBe(201)
    for (const other of others) expect(other).toEqual(first)
    expect((await readdir(disk)).sort()).toEqual(
      ['folder', 'folder(1)', 'free.txt', 'link', 'link(1)', 'taken(1).txt', 'taken.txt'].sort(),
    )
    expect(await readFile(join(disk, 'taken.txt'), 'utf8')).toBe('mine')
    expect((await deliveries(hash)).deliveries.at(-2)).toMatchObject({ name: 'taken(1).txt', given: 'taken.txt' })
    await rm(outside, { recursive: true })
  })

  test('PUB-02 twenty files of one name that arrive at once are twenty files', async () => {
    const { hash } = await request()
    const contents = Array.from({ length: 20 }, (_, index) => `file ${index}`)
    const answers = await Promise.all(contents.map(content => send(hash, 'IMG_0001.jpg', content)))
    expect(new Set(statusesOf(answers))).toEqual(new Set([201]))
    const names = await readdir(disk)
    const stored = await Promise.all(names.map(name => readFile(join(disk, name), 'utf8')))
    expect(stored.sort()).toEqual(contents.sort())
  })

  test.each([
    ['../up.txt', [400]],
    ['sub/file.txt', [400]],
    ['.ssh', [400]],
    ['.htaccess', [400]],
    ['\u202e.hidden', [400]],
    ['a\0b', [400]],
    ['x'.repeat(248), [400]],
    ['x'.repeat(247), [201]],
  ])('PUB-02 cannot choose a place or a deceptive name: %j', async (name, expected) => {
    const { hash } = await request()
    const answer = await call(server, `/api/public/tus/${hash}/${encodeURIComponent(name)}`, {
      ...{ method: 'POST', headers: { ...CHUNK, 'Upload-Length': '1' }, body: 'x' },
    })
    expect(expected).toContain(answer.status)
    expect(await readdir(disk)).toHaveLength(expected[0] === 201 ? 1 : 0)
  })

  test('PUB-02 PUB-08 sends names and texts that stay texts', async () => {
    const { hash } = await request()
    const sender = '<b>=cmd()\u202e\n'
    await send(hash, 'photo\u202egpj.exe', 'x', { headers: { 'Upload-Metadata': `sender ${b64(sender)}` } })
    expect(await readdir(disk)).toEqual(['photogpj.exe'])
    expect((await deliveries(hash)).deliveries[0].sender).toBe('<b>=cmd()')
  })

  test('PUB-03 limits hold with fifty files at once, and before the first byte', async () => {
    const { hash } = await request({ maxItems: 5, maxBytes: 40, maxFileBytes: 9 })
    expect((await send(hash, 'large', 'x'.repeat(10))).status).toBe(413)
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => send(hash, `${index}`, 'x'.repeat(9))))
    expect(statusesOf(answers).filter(status => status === 201)).toHaveLength(4)
    expect(await readdir(disk)).toHaveLength(4)
    expect((await send(hash, 'small', 'xxxx')).status).toBe(201)
    expect((await send(hash, 'empty', '')).status).toBe(413)
    expect((await shown(hash)).request).toMatchObject({ bytesLeft: 0, itemsLeft: 0 })
    const endless = await call(server, `/api/public/tus/${hash}/a`, { method: 'POST', headers: CHUNK, body: 'x' })
    expect(endless.status).toBe(400)
  })

  test('PUB-03 a file that is larger than announced, or than limits lowered in the meantime, does not arrive', async () => {
    const { hash } = await request({ maxBytes: 10 })
    const path = pathOf(await send(hash, 'a', '', { length: 6 }))
    expect((await patch(path, 0, 'x'.repeat(7))).status).toBe(413)
    await change(hash, { maxBytes: 5 })
    expect((await patch(path, 0, 'x'.repeat(6))).status).toBe(413)
    await change(hash, { maxBytes: null, maxFileBytes: 5 })
    expect((await patch(path, 0, 'x'.repeat(6))).status).toBe(413)
    expect(await arrived(disk)).toEqual([])
  })

  test('PUB-07 an upload opens to its own link only, and not once the password has changed', async () => {
    const { hash } = await request({ password: 'first' })
    const other = await request({ password: 'first' })
    const path = pathOf(await send(hash, 'a', '', { length: 3, headers: withPassword('first') }))
    const elsewhere = path.replace(hash, other.hash)
    const guessed = path.replace(/.{4}$/, 'AAAA')
    for (const method of ['HEAD', 'DELETE']) {
      const headers = withPassword('first')
      expect((await call(server, elsewhere, { method, headers })).status).toBe(404)
      expect((await call(server, guessed, { method, headers })).status).toBe(404)
    }
    expect((await patch(elsewhere, 0, 'abc', withPassword('first'))).status).toBe(404)
    const { token } = await shown(hash, withPassword('first'))
    expect((await patch(`${path}?token=${token}`, 0, 'a')).status).toBe(204)
    await change(hash, { password: 'second' })
    expect((await patch(`${path}?token=${token}`, 1, 'bc')).status).toBe(401)
    expect((await patch(path, 1, 'bc', withPassword('second'))).status).toBe(204)
    expect(await readFile(join(disk, 'a'), 'utf8')).toBe('abc')
  })

  test('PUB-07 a file stops where its owner may no longer receive it, and where the link has ended', async () => {
    const owner = await newSharer(server, admin)
    await mkdir(join(owner.home, 'in'))
    const { hash } = await linkTo(server, owner.token, '/in/', { kind: 'drop' })
    const path = pathOf(await send(hash, 'a', '', { length: 3 }))
    await call(server, `/api/share/${hash}`, { method: 'DELETE', token: owner.token })
    expect((await patch(path, 0, 'abc')).status).toBe(404)
    expect((await viewShare(server, hash)).status).toBe(404)
    expect(await arrived(join(owner.home, 'in'))).toEqual([])
  })

  test('sends no file of its own over one that the owner is uploading', async () => {
    const { hash } = await request()
    const tus = `/api/tus${folder}/a.txt`
    await call(server, tus, { method: 'POST', token: ann.token, headers: { 'Upload-Length': '4' } })
    expect((await send(hash, 'a.txt', 'theirs')).status).toBe(201)
    const mine = await call(server, tus, {
      ...{ method: 'PATCH', token: ann.token, headers: { ...CHUNK, 'Upload-Offset': '0' }, body: 'mine' },
    })
    expect(mine.status).toBe(409)
    expect(await readFile(join(disk, 'a.txt'), 'utf8')).toBe('theirs')
  })
})

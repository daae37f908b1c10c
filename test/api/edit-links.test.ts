import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { EDIT_RIGHTS, type EditRight } from '../../shared/api/shares.ts'
import { GOOD_PASSWORD, manager, perm } from './accounts.ts'
import { type Answer, call, encode, json, signIn } from './client.ts'
import { KEEPS_DELETED, openInstance } from './instance.ts'
import { linkTo, load, share, viewShare, withPassword } from './links-client.ts'
import { newSharer, SHARER_RIGHTS } from './sharers.ts'
import { OUTSIDE_MARKER } from './tree.ts'

const server = await openInstance()
const admin = await manager(server)
const bob = await newSharer(server, admin)
const ALL = [...EDIT_RIGHTS]
const CHUNK = { 'Content-Type': 'application/offset+octet-stream' }

type Owner = Awaited<ReturnType<typeof newSharer>>
type Headers = Record<string, string>

const edited = async ({ token }: Pick<Owner, 'token'>, terms: object = {}) =>
  (await linkTo(server, token, '/docs/', { kind: 'edit', rights: ALL, ...terms })).hash
const change = (owner: Pick<Owner, 'token'>, hash: string, body: object) =>
  call(server, `/api/links/${hash}`, { method: 'PATCH', token: owner.token, body: JSON.stringify(body) })

/** What a visitor sends; paths are below the link and not encoded. */
const visitor = (hash: string, headers: Headers = {}) => {
  const at = (path: string, query = '') => `/api/public/resources/${hash}${encode(path)}${query}`
  const ask = (method: string, target: string, body?: string, more: Headers = {}) =>
    call(server, target, { method, headers: { ...headers, ...more }, ...(body === undefined ? {} : { body }) })
  return {
    post: (path: string, body = 'new', query = '', more: Headers = {}) => ask('POST', at(path, query), body, more),
    put: (path: string, body = 'saved', more: Headers = {}) => ask('PUT', at(path), body, more),
    move: (path: string, to: string, query = '') =>
      ask('PATCH', at(path, `?action=rename&destination=${encodeURIComponent(encode(to))}${query}`)),
    remove: (path: string, query = '') => ask('DELETE', at(path, query)),
    begin: (path: string, length: number, query = '', body?: string) =>
      ask('POST', `/api/public/tus/${hash}${encode(path)}${query}`, body, {
        ...CHUNK,
        'Upload-Length': String(length),
      }),
    patch: (upload: string, body: string) => ask('PATCH', upload, body, { ...CHUNK, 'Upload-Offset': '0' }),
  }
}
const uploadOf = (answer: Answer) => {
  const path = new URL(answer.headers.get('location') ?? '', server.url).pathname
  return path.slice(path.indexOf('/api/public/tus/'))
}
const codeOf = ({ status, headers }: Answer) => [status, headers.get('x-error-code')]
const statusesOf = async (answers: Promise<Answer>[]) => (await Promise.all(answers)).map(({ status }) => status)
const content = ({ home }: Owner, path: string) => readFile(join(home, 'docs', path), 'utf8')
const kept = async (owner: Owner) => json(await call(server, '/api/trash', { token: owner.token })).items
const versionOf = async (hash: string, path: string) => (await load(server, hash, path)).headers.get('etag') ?? ''

/** Each call that changes something, and the right that it needs. */
const DEEDS: Record<string, { needs: EditRight[]; act(hash: string, headers?: Headers): Promise<Answer> }> = {
  folder: { needs: ['create'], act: (hash, headers) => visitor(hash, headers).post('/new/', '') },
  file: { needs: ['create'], act: (hash, headers) => visitor(hash, headers).post('/new.txt') },
  replacement: {
    needs: ['create', 'modify'],
    act: (hash, headers) => visitor(hash, headers).post('/one.txt', 'new', '?override=true'),
  },
  saving: { needs: ['modify'], act: (hash, headers) => visitor(hash, headers).put('/one.txt') },
  renaming: { needs: ['rename'], act: (hash, headers) => visitor(hash, headers).move('/one.txt', '/two.txt') },
  moving: { needs: ['rename'], act: (hash, headers) => visitor(hash, headers).move('/one.txt', '/sub/one.txt') },
  'moving over': {
    needs: ['rename', 'modify'],
    act: (hash, headers) => visitor(hash, headers).move('/one.txt', '/sub/two.txt', '&override=true'),
  },
  deletion: { needs: ['delete'], act: (hash, headers) => visitor(hash, headers).remove('/one.txt') },
  upload: { needs: ['create'], act: (hash, headers) => visitor(hash, headers).begin('/up.bin', 2, '', 'up') },
  'replacing upload': {
    needs: ['create', 'modify'],
    act: (hash, headers) => visitor(hash, headers).begin('/one.txt', 2, '?override=true', 'up'),
  },
}
const deeds = Object.entries(DEEDS)

test('a link to edit has its kind, its rights and its id after what a link to view has', async () => {
  const ann = await newSharer(server, admin)
  const link = await linkTo(server, ann.token, '/docs/', { kind: 'edit', rights: ['delete', 'create'], note: 'Hello' })
  expect(link).toEqual({
    ...{ hash: expect.any(String), path: '/docs/', userID: ann.id, expire: 0, hasPassword: false },
    ...{ kind: 'edit', note: 'Hello', rights: ['create', 'delete'], id: expect.stringMatching(/^link:[0-9a-f]{12}$/) },
  })
  const changed = json(await change(ann, link.hash, { rights: ['modify'], label: 'Ours' }))
  expect(changed).toMatchObject({ rights: ['modify'], label: 'Ours', kind: 'edit' })
  expect(json(await viewShare(server, link.hash))).toMatchObject({ kind: 'edit', rights: ['modify'], note: 'Hello' })
  expect(json(await viewShare(server, link.hash, '/one.txt'))).toMatchObject({ kind: 'edit', rights: ['modify'] })
  const viewed = json(await viewShare(server, await hashOf(ann, '/docs/')))
  expect([viewed.kind, viewed.rights]).toEqual([undefined, undefined])
})

const hashOf = async (owner: Owner, path: string, body: object = {}) =>
  (await linkTo(server, owner.token, path, body)).hash

test('a link to edit needs a folder, rights, and an owner who has them', async () => {
  const ann = await newSharer(server, admin)
  const asked = (path: string, body: object) => share(server, ann.token, path, { kind: 'edit', ...body })
  for (const body of [{}, { rights: [] }, { rights: ['share'] }, { rights: ALL, maxItems: 3 }])
    expect((await asked('/docs/', body)).status).toBe(400)
  for (const body of [{ maxDownloads: 3 }, { previewOnly: true }])
    expect((await asked('/docs/', { rights: ALL, ...body })).status).toBe(400)
  for (const rights of [['create'], ['modify', 'rename'], ['delete']])
    expect((await asked('/a.txt', { rights })).status).toBe(400)
  expect((await share(server, ann.token, '/docs/', { rights: ALL })).status).toBe(400)
  const viewed = await hashOf(ann, '/docs/')
  expect((await change(ann, viewed, { rights: ALL })).status).toBe(400)
  const reader = await newSharer(server, admin, { perm: perm('share', 'download', 'create') })
  expect((await share(server, reader.token, '/docs/', { kind: 'edit', rights: ALL })).status).toBe(403)
  const hash = await edited(reader, { rights: ['create'] })
  for (const who of [reader, admin]) expect((await change(who, hash, { rights: ['delete'] })).status).toBe(403)
  expect((await change(bob, hash, { rights: ['create'] })).status).toBe(403)
})

test.each(deeds)('PUB-06 %s needs its rights, of the link and of its owner at this moment', async (_what, deed) => {
  const ann = await newSharer(server, admin)
  const hash = await edited(ann)
  const without = (missing: string) => SHARER_RIGHTS.filter(right => right !== missing)
  for (const missing of deed.needs) {
    const others = ALL.filter(right => right !== missing)
    await change(ann, hash, { rights: others })
    expect([missing, (await deed.act(hash)).status]).toEqual([missing, 403])
    await change(ann, hash, { rights: ALL })
    await admin.update(ann.id, ['perm'], { perm: perm(...without(missing)) })
    expect([missing, (await deed.act(hash)).status]).toEqual([missing, 403])
    expect(json(await viewShare(server, hash)).rights).toEqual(others)
    await admin.update(ann.id, ['perm'], { perm: perm(...SHARER_RIGHTS) })
  }
  await change(ann, hash, { rights: deed.needs })
  expect((await deed.act(hash)).status).toBeLessThan(400)
})

test.each(deeds)(
  'PUB-01 %s is refused by links of other kinds and in each state, before and after the password',
  async (what, deed) => {
    const ann = await newSharer(server, admin)
    const untouched = await readdir(join(ann.home, 'docs'))
    const [viewed, drop] = [await hashOf(ann, '/docs/'), await hashOf(ann, '/docs/', { kind: 'drop' })]
    expect((await deed.act(viewed)).status).toBe(403)
    if (!what.includes('upload')) expect((await deed.act(drop)).status).toBe(403)
    const hash = await edited(ann, { password: 'copper' })
    expect((await deed.act(hash)).status).toBe(401)
    expect((await deed.act(hash, withPassword('wrong'))).status).toBe(401)
    await change(ann, hash, { paused: true })
    expect((await deed.act(hash)).status).toBe(401)
    expect(codeOf(await deed.act(hash, withPassword('copper')))).toEqual([403, 'link_paused'])
    await call(server, `/api/share/${hash}`, { method: 'DELETE', token: ann.token })
    expect((await deed.act(hash, withPassword('copper'))).status).toBe(404)
    const open = await edited(ann)
    await admin.update(ann.id, ['perm'], { perm: perm(...SHARER_RIGHTS.filter(right => right !== 'share')) })
    expect((await deed.act(open)).status).toBe(403)
    expect(await readdir(join(ann.home, 'docs'))).toEqual(untouched)
    expect(await content(ann, 'one.txt')).toBe('docs/one.txt')
  },
)

test('PUB-01 a link that has ended changes nothing, by its hash and by its name', async () => {
  const ann = await newSharer(server, admin)
  const slug = `ours-${Date.now()}`
  const hash = await edited(ann, { password: 'copper', slug, expires: '4', unit: 'seconds' })
  const headers = withPassword('copper')
  expect((await visitor(`~${slug}`, headers).post('/by-name.txt')).status).toBe(200)
  await expect.poll(async () => (await viewShare(server, hash)).status).toBe(404)
  for (const [, { act }] of deeds) expect(await statusesOf([act(hash, headers), act(`~${slug}`)])).toEqual([404, 401])
  expect(await content(ann, 'one.txt')).toBe('docs/one.txt')
})

test('PUB-01 a link to view reads nothing of a body', async () => {
  const ann = await newSharer(server, admin)
  const { pathname, hostname, port } = new URL(server.url)
  const path = `${pathname.replace(/\/$/, '')}/api/public/resources/${await hashOf(ann, '/docs/')}/big.bin`
  const status = await new Promise((resolve, reject) => {
    const headers = { 'Content-Length': String(10_000_000) }
    const sent = request({ hostname, port, path, method: 'POST', headers }, answer => resolve(answer.statusCode))
    sent.on('error', reject).flushHeaders()
  })
  expect(status).toBe(403)
})

test('PUB-01 a locked link to edit takes its ticket by a header, and from pages of other sites only so', async () => {
  const ann = await newSharer(server, admin)
  const hash = await edited(ann, { password: 'copper' })
  const { token } = json(await viewShare(server, hash, '', '', withPassword('copper')))
  const ticket = { 'X-Share-Ticket': token }
  const foreign = { Origin: 'https://elsewhere.example' }
  const post = (query: string, headers: Headers) =>
    visitor(hash, headers).post('/new.txt', 'x', `?override=true${query}`)
  expect(await statusesOf([post(`&token=${token}`, foreign), post('', { Cookie: `token=${token}` })])).toEqual([
    401, 401,
  ])
  for (const [query, headers] of [
    ['', ticket],
    ['', { ...ticket, ...foreign }],
    [`&token=${token}`, {}],
  ] as const)
    expect((await post(query, headers)).status).toBe(200)
  const own = { Origin: new URL(server.url).origin }
  expect((await post(`&token=${token}`, own)).status).toBe(200)
  expect(json(await viewShare(server, hash, '', '', ticket)).token).toEqual(expect.any(String))
})

test('PUB-06 nothing leaves the shared folder, and it stays what it is', async () => {
  const ann = await newSharer(server, admin)
  await symlink('..', join(ann.home, 'docs/up'))
  await symlink('../marker.txt', join(ann.home, 'docs/marker'))
  await symlink('.', join(ann.home, 'docs/self'))
  const hash = await edited(ann)
  const { post, put, move, remove, begin } = visitor(hash)
  const outside = [
    post('/up/new.txt'),
    post('/up/new/', ''),
    post('/up/a.txt', 'x', '?override=true'),
    put('/up/a.txt'),
    put('/marker'),
    post('/marker', 'x', '?override=true'),
    move('/one.txt', '/up/one.txt'),
    move('/up/a.txt', '/a.txt'),
    remove('/up/a.txt'),
    remove('/up/docs-2'),
    begin('/up/new.bin', 1, '', 'x'),
    begin('/marker', 1, '?override=true', 'x'),
  ]
  for (const { status, text } of await Promise.all(outside)) {
    expect([403, 404]).toContain(status)
    expect(text).not.toContain(OUTSIDE_MARKER)
  }
  for (const to of ['/../one.txt', '%252e%252e/one.txt', '..%252fone.txt', '/%252e%252e%252fone.txt', '/sub/../../x']) {
    const target = `/api/public/resources/${hash}/one.txt?action=rename&destination=${to}`
    expect((await call(server, target, { method: 'PATCH' })).status).toBe(400)
  }
  const itself = [
    remove('/'),
    remove(''),
    move('/', '/other'),
    move('', '/sub/docs'),
    move('/sub', '/'),
    move('/sub', '/', '&override=true'),
    move('/sub', '/', '&rename=true'),
    put(''),
    post('', 'x', '?override=true'),
  ]
  for (const { status } of await Promise.all(itself)) expect([400, 403, 404, 409]).toContain(status)
  expect((await readdir(ann.home)).sort()).toEqual(['a.txt', 'docs', 'docs-2', 'marker.txt'])
  expect((await readdir(join(ann.home, 'docs'))).sort()).toEqual(
    ['.dot', 'deny', 'marker', 'one.txt', 'self', 'sub', 'up'].sort(),
  )
  expect(await readFile(join(ann.home, 'a.txt'), 'utf8')).toBe('a.txt')
  expect(await readFile(join(ann.home, 'marker.txt'), 'utf8')).toBe(OUTSIDE_MARKER)
})

test('PUB-06 what a rule hides from the owner is not there for visitors either', async () => {
  const rules = [{ regex: false, allow: false, path: '/docs/deny', regexp: null }]
  const ann = await newSharer(server, admin, { rules })
  const { post, put, move, remove } = visitor(await edited(ann))
  const answers = [post('/deny/x.txt'), put('/deny/d.txt'), move('/one.txt', '/deny/one.txt'), remove('/deny')]
  expect(new Set(await statusesOf(answers))).toEqual(new Set([403]))
  expect(await readdir(join(ann.home, 'docs/deny'))).toEqual(['d.txt'])
})

test('a visitor makes, saves, moves and deletes, and meets the same conflicts as a user', async () => {
  const ann = await newSharer(server, admin)
  const hash = await edited(ann)
  const { post, put, move, remove, begin } = visitor(hash)
  expect((await post('/a/b/', '')).status).toBe(200)
  const made = await post('/a/b/new.txt', 'first')
  expect([made.status, made.headers.get('x-change'), made.headers.get('x-kept')]).toEqual([200, null, null])
  expect(made.headers.get('etag')).toBe(await versionOf(hash, '/a/b/new.txt'))
  expect((await post('/a/b/new.txt', 'second')).status).toBe(409)
  const version = await versionOf(hash, '/one.txt')
  expect((await put('/one.txt', 'mine', { 'If-Match': version })).status).toBe(200)
  expect((await put('/one.txt', 'theirs', { 'If-Match': version })).status).toBe(412)
  expect(await content(ann, 'one.txt')).toBe('mine')
  expect(await statusesOf([put('/nothing.txt'), put('/sub/')])).toEqual([404, 405])
  expect((await move('/one.txt', '/sub/two.txt')).status).toBe(409)
  expect((await move('/one.txt', '/sub/two.txt', '&rename=true')).status).toBe(200)
  expect(await content(ann, 'sub/two(1).txt')).toBe('mine')
  const copied = await call(server, `/api/public/resources/${hash}/sub/two.txt?action=copy&destination=/x.txt`, {
    method: 'PATCH',
  })
  expect(copied.status).toBe(400)
  expect((await begin('/c/d/up.bin', 3, '', 'abc')).status).toBe(201)
  expect(await content(ann, 'c/d/up.bin')).toBe('abc')
  expect((await begin('/c/d/up.bin', 3, '', 'abc')).status).toBe(409)
  expect((await remove('/c')).status).toBe(204)
})

test.runIf(KEEPS_DELETED)(
  'what a visitor deletes and replaces is in the trash and among the versions of the owner, who can undo it',
  async () => {
    const ann = await newSharer(server, admin)
    const hash = await edited(ann)
    const { put, remove } = visitor(hash)
    const { id } = (await linkTo(server, ann.token, '/docs/', { kind: 'edit', rights: ALL })) as { id?: string }
    expect(id).toMatch(/^link:/)
    expect((await put('/one.txt', 'theirs')).status).toBe(200)
    const versions = json(await call(server, '/api/versions/docs/one.txt', { token: ann.token })).items
    expect(versions).toHaveLength(1)
    for (const query of ['', '?permanent=true']) {
      expect((await remove('/sub', query)).status).toBe(204)
      const [thing] = await kept(ann)
      expect(thing).toMatchObject({ name: 'sub', path: '/docs/sub' })
      const page = json(await call(server, '/api/changes?limit=1', { token: ann.token }))
      expect(page.items[0]).toMatchObject({ kind: 'delete' })
      const undone = await call(server, `/api/changes/${page.items[0].id}/undo`, {
        ...{ method: 'POST', token: ann.token, body: '{}' },
      })
      expect(undone.status).toBe(200)
      expect(await content(ann, 'sub/two.txt')).toBe('docs/sub/two.txt')
    }
  },
)

test('the log names the link, its owner and where something went', async () => {
  const ann = await newSharer(server, admin)
  const link = (await linkTo(server, ann.token, '/docs/', { kind: 'edit', rights: ALL })) as unknown as { id: string }
  const hash = (link as unknown as { hash: string }).hash
  const { put, move, begin } = visitor(hash)
  await put('/one.txt')
  await move('/one.txt', '/sub/moved.txt')
  await begin('/up.bin', 2, '', 'up')
  await put('/up/../../x', '').catch(() => {})
  const rowOf = async (action: string) =>
    json(await call(server, `/api/audit?action=${action}`, { token: await signIn(server) })).rows[0]
  const place = `${ann.scope}/docs`
  const who = { way: 'share', outcome: 'done' }
  expect(await rowOf('save')).toMatchObject({ ...who, path: `${place}/one.txt`, target: `${link.id} ${ann.name}` })
  expect(await rowOf('move')).toMatchObject({
    ...who,
    path: `${place}/one.txt`,
    target: `${link.id} ${place}/sub/moved.txt`,
  })
  expect(await rowOf('upload')).toMatchObject({ ...who, path: `${place}/up.bin`, target: `${link.id} ${ann.name}` })
})

test('a link to edit one file saves that file and nothing else', async () => {
  const ann = await newSharer(server, admin)
  const { hash } = await linkTo(server, ann.token, '/docs/one.txt', { kind: 'edit', rights: ['modify'] })
  expect(json(await viewShare(server, hash))).toMatchObject({
    kind: 'edit',
    rights: ['modify'],
    path: '',
    type: 'text',
  })
  const { put, post, remove, move, begin } = visitor(hash)
  expect((await put('/one.txt', 'first')).status).toBe(200)
  expect((await put('', 'second')).status).toBe(200)
  expect((await put('/sub/two.txt', 'third')).status).toBe(200)
  expect(await content(ann, 'one.txt')).toBe('third')
  expect(await content(ann, 'sub/two.txt')).toBe('docs/sub/two.txt')
  const refused = [post('/one.txt', 'x', '?override=true'), post('/new/', ''), remove('/one.txt')]
  expect(await statusesOf([...refused, begin('/one.txt', 2, '?override=true', 'up')])).toEqual([403, 403, 403, 403])
  // A file ignores the rest of an address: this would be a move to where it is.
  expect((await move('/one.txt', '/two.txt')).status).toBe(400)
  const stale = { 'If-Match': '"0"' }
  expect((await put('/one.txt', 'late', stale)).status).toBe(412)
  expect((await change(ann, hash, { rights: ['delete'] })).status).toBe(400)
  await rm(join(ann.home, 'docs/one.txt'))
  expect((await put('/one.txt', 'again')).status).toBe(404)
})

test('a link that asks for names refuses changes without one, and its changes bear the name', async () => {
  const ann = await newSharer(server, admin)
  const { hash } = await linkTo(server, ann.token, '/docs/', { kind: 'edit', rights: ALL, sender: 'required' })
  expect(json(await viewShare(server, hash)).sender).toBe('required')
  for (const [, { act }] of deeds) expect((await act(hash)).status).toBe(400)
  for (const name of ['%20', 'x'.repeat(81), '%'])
    expect((await visitor(hash, { 'X-Sender': name }).put('/one.txt')).status).toBe(400)
  const named = { 'X-Sender': encodeURIComponent('Zoë \u202eof =2 <b>') }
  const { put, move, begin } = visitor(hash, named)
  expect(await statusesOf([put('/one.txt'), begin('/up.bin', 2, '', 'up')])).toEqual([200, 201])
  expect((await move('/one.txt', '/sub/moved.txt')).status).toBe(200)
  const { items } = json(await call(server, '/api/activity/docs', { token: ann.token }))
  const theirs = items.filter(({ kind }: { kind: string }) => kind !== 'link')
  expect(theirs.map(({ visitor: name }: { visitor: string }) => name)).toEqual(Array(3).fill('Zoë  of =2 <b>'))
  const audit = async (action: string) =>
    json(await call(server, `/api/audit?action=${action}`, { token: await signIn(server) })).rows[0]
  expect((await audit('move')).target).toMatch(/^link:[0-9a-f]{12} .*moved\.txt ← Zoë {2}of =2 <b>$/)
  expect((await audit('upload')).target).toMatch(/← Zoë {2}of =2 <b>$/)
  await change(ann, hash, { sender: 'no' })
  expect(json(await viewShare(server, hash)).sender).toBeUndefined()
  expect((await visitor(hash, named).move('/sub/moved.txt', '/one.txt')).status).toBe(200)
  const [last] = json(await call(server, '/api/changes?limit=1', { token: ann.token })).items
  expect(last).toMatchObject({ kind: 'move', visitor: '', way: 'share' })
})

test('PUB-07 an upload opens to its own link only, and ends with the password, a pause and the right', async () => {
  const ann = await newSharer(server, admin)
  const [hash, other] = [await edited(ann, { password: 'first' }), await edited(ann, { password: 'first' })]
  const headers = withPassword('first')
  const { begin, patch } = visitor(hash, headers)
  const upload = uploadOf(await begin('/up.bin', 3))
  expect(upload).toMatch(new RegExp(`^/api/public/tus/${hash}/-/[\\w-]{22}$`))
  const own = await call(server, '/api/tus/docs/own.bin', {
    ...{ method: 'POST', token: ann.token, headers: { 'Upload-Length': '3' } },
  })
  expect(own.status).toBe(201)
  for (const wrong of [upload.replace(hash, other), upload.replace(/.{4}$/, 'AAAA')])
    expect((await patch(wrong, 'abc')).status).toBe(404)
  await change(ann, hash, { paused: true })
  expect(codeOf(await patch(upload, 'abc'))).toEqual([403, 'link_paused'])
  await change(ann, hash, { paused: false, rights: ['modify', 'delete', 'rename'] })
  expect((await patch(upload, 'abc')).status).toBe(403)
  await change(ann, hash, { rights: ALL, password: 'second' })
  expect((await patch(upload, 'abc')).status).toBe(401)
  expect((await visitor(hash, withPassword('second')).patch(upload, 'abc')).status).toBe(204)
  expect(await content(ann, 'up.bin')).toBe('abc')
  const again = await call(server, upload, { method: 'HEAD', headers: withPassword('second') })
  expect(again.status).toBe(404)
})

test('PUB-07 a body that arrives slowly is refused once the link is paused, has ended or gives less', async () => {
  const ann = await newSharer(server, admin)
  const steps: [object, number][] = [
    [{ paused: true }, 403],
    [{ paused: false, rights: ['delete'] }, 403],
    [{ rights: ALL, password: 'copper' }, 401],
  ]
  const hash = await edited(ann)
  for (const [step, status] of steps) {
    expect(await slowly(hash, () => change(ann, hash, step))).toBe(status)
    await change(ann, hash, { paused: false, rights: ALL, password: null })
  }
  const end = () => call(server, `/api/share/${hash}`, { method: 'DELETE', token: ann.token })
  expect(await slowly(hash, end)).toBe(404)
  expect(await content(ann, 'one.txt')).toBe('docs/one.txt')
})

/** Saves a file, and does something before the last byte. */
function slowly(hash: string, act: () => Promise<unknown>): Promise<number | undefined> {
  const { pathname, hostname, port } = new URL(server.url)
  const path = `${pathname.replace(/\/$/, '')}/api/public/resources/${hash}/one.txt`
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Length': '4' }
    const sent = request({ hostname, port, path, method: 'PUT', headers }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('error', reject)
    sent.write('ab')
    setTimeout(() => void act().then(() => sent.end('cd'), reject), 300)
  })
}

test('a link follows its folder, and its visitors never write into another one', async () => {
  const ann = await newSharer(server, admin)
  const hash = await edited(ann)
  const moved = await call(server, '/api/resources/docs?action=rename&destination=/trip', {
    ...{ method: 'PATCH', token: ann.token },
  })
  expect(moved.status).toBe(200)
  await mkdir(join(ann.home, 'docs'))
  expect((await visitor(hash).post('/new.txt')).status).toBe(200)
  expect(await readdir(join(ann.home, 'docs'))).toEqual([])
  expect(await readFile(join(ann.home, 'trip/new.txt'), 'utf8')).toBe('new')
  await call(server, '/api/resources/trip', { method: 'DELETE', token: ann.token })
  await mkdir(join(ann.home, 'trip'))
  expect((await visitor(hash).post('/new.txt')).status).toBe(404)
  await writeFile(join(ann.home, 'trip/x.txt'), '')
  expect((await visitor(hash).remove('/x.txt')).status).toBe(404)
})

test('visitors do not write into what is locked', async () => {
  const ann = await newSharer(server, admin)
  const hash = await edited(ann)
  const body =
    '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'
  const Authorization = `Basic ${Buffer.from(`${ann.name}:${GOOD_PASSWORD}`).toString('base64')}`
  const headers = { Authorization, Depth: '0' }
  expect((await call(server, '/dav/docs/one.txt', { method: 'LOCK', headers, body })).status).toBe(200)
  const { put, remove, move } = visitor(hash)
  expect(await statusesOf([put('/one.txt'), remove('/one.txt'), move('/one.txt', '/x.txt')])).toEqual([423, 423, 423])
})

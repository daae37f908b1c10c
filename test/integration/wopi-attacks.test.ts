import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pagePolicy } from '../../server/http/headers.ts'
import { type Answer, call, json } from '../api/client.ts'
import { discovery, documentOf, newKeys, type OpenDocument, startEditor } from '../office/editor.ts'
import { openOffice, PUBLIC, sourceIn } from '../office/office-place.ts'
import { account, type DavPlace, openDav } from './dav-place.ts'

const place = await openOffice()
/** A server whose editor has no discovery but what a test gives. */
const liar = await openOffice()
const { admin, dav, editor, file, open, server } = place

const statuses = (answers: Promise<Answer>[]) => Promise.all(answers).then(all => all.map(({ status }) => status))
/** One call of each kind. */
const allOf = (one: OpenDocument) => [
  one.check(),
  one.get(),
  one.put('stolen', 'L'),
  one.lock('L'),
  one.post('GET_LOCK'),
  one.post('PUT_RELATIVE', { 'X-WOPI-SuggestedTarget': '.odt' }, { body: 'stolen' }),
]
const everyone = (place: DavPlace, session: string, path: string) =>
  call(place.server, '/api/office/open', { method: 'POST', token: session, body: JSON.stringify({ path }) })

describe('WOPI-01 a token', () => {
  test('opens its own file only', async () => {
    const [one, other] = [await open((await file()).path), await open((await file()).path)]
    const stolen = documentOf(editor, { server, origin: PUBLIC }, { id: other.id, token: one.token })
    expect(await statuses(allOf(stolen))).toEqual(Array(6).fill(401))
  })

  test('of another user has the rights of that user', async () => {
    const { path } = await file()
    const { session } = await account(place, { perm: { download: true } })
    const one = await open(path, { token: session })
    expect(json(await one.check())).toMatchObject({ UserCanWrite: false, ReadOnly: true })
    expect(await statuses(allOf(one))).toEqual([200, 200, 404, 404, 200, 501])
  })

  test('for viewing changes nothing', async () => {
    const one = await open((await file()).path, { mode: 'view' })
    expect(json(await one.check())).toMatchObject({ UserCanWrite: false, UserCanNotWriteRelative: true })
    expect(await statuses(allOf(one))).toEqual([200, 200, 404, 404, 200, 501])
  })

  test('is needed: sessions, API tokens and passwords open nothing', async () => {
    const one = await open((await file()).path)
    const headers = { 'X-Auth': place.session, Cookie: `auth=${place.session}`, Authorization: `Bearer ${one.token}` }
    for (const token of ['', place.session]) expect((await one.check({ headers, token })).status).toBe(401)
  })
})

describe('WOPI-02 a token ends', () => {
  test('with the session', async () => {
    const { path } = await file()
    const { session } = await account(place)
    const one = await open(path, { token: session })
    await one.lock('L')
    await call(server, '/api/logout', { method: 'POST', token: session })
    expect(await statuses(allOf(one))).toEqual(Array(6).fill(401))
    const other = await open(path)
    expect((await other.post('GET_LOCK')).headers.get('x-wopi-lock')).toBe('')
  })

  test('with the right to read, and saves nothing without the right to modify', async () => {
    const { path } = await file()
    const { id, session } = await account(place)
    const one = await open(path, { token: session })
    await one.lock('L')
    const change = (perm: object) => admin.update(id, ['perm'], { perm })
    await change({ download: true })
    expect((await one.put('stolen', 'L')).status).toBe(404)
    expect(json(await one.check()).UserCanWrite).toBe(false)
    await change({ create: true, modify: true })
    expect((await one.get()).status).toBe(404)
    expect((await one.check()).status).toBe(404)
  })

  test('with a rule that denies the file', async () => {
    const { path } = await file()
    const { id, session } = await account(place)
    const one = await open(path, { token: session })
    await admin.update(id, ['rules'], { rules: [{ allow: false, regex: false, path, regexp: { raw: '' } }] })
    expect(await statuses([one.check(), one.get(), one.put('stolen', 'L'), one.lock('L')])).toEqual(Array(4).fill(404))
  })

  test('with its user, and after ten hours', async () => {
    const { path } = await file()
    const { id, session } = await account(place)
    const one = await open(path, { token: session })
    await admin.remove(id)
    expect((await one.check()).status).toBe(401)
    const other = await open(path)
    await place.context.db.updateTable('office_tokens').set({ expires_at: Date.now() }).execute()
    expect((await other.check()).status).toBe(401)
  })
})

describe('WOPI-03 a proof', () => {
  const MINUTE = 60_000

  test('that is missing, forged or of other keys is 500', async () => {
    const one = await open((await file()).path)
    const keys = { current: newKeys().privateKey, old: newKeys().privateKey }
    for (const signing of [false, { keys }, { url: `${PUBLIC}/wopi/files/other` }, { token: 'other' }] as const)
      expect((await one.check({ signing })).status).toBe(500)
    expect((await one.check({ headers: { 'X-WOPI-TimeStamp': '1' } })).status).toBe(500)
  })

  test('that is old, or of another request, is 500', async () => {
    const { path } = await file()
    const one = await open(path)
    expect((await one.check({ signing: { at: Date.now() - 21 * MINUTE } })).status).toBe(500)
    expect((await one.check({ signing: { at: Date.now() + 21 * MINUTE } })).status).toBe(500)
    expect((await one.check({ signing: { at: Date.now() - 19 * MINUTE } })).status).toBe(200)
    const headers = editor.headers(`${PUBLIC}/wopi/files/${one.id}?access_token=${one.token}`, one.token)
    expect((await one.get({ signing: false, headers })).status).toBe(500)
  })

  test('is good by the present key, and where one side has exchanged its keys', async () => {
    const one = await open((await file()).path)
    const { current, old } = editor.keys
    const pairs = [
      { current: current.privateKey, old: newKeys().privateKey },
      { current: newKeys().privateKey, old: current.privateKey },
      { current: old.privateKey, old: newKeys().privateKey },
    ]
    for (const keys of pairs) expect((await one.check({ signing: { keys } })).status).toBe(200)
    const neither = { current: newKeys().privateKey, old: old.privateKey }
    expect((await one.check({ signing: { keys: neither } })).status).toBe(500)
  })

  test('by keys that are exchanged twice makes the discovery be read again, at most once a minute', async () => {
    const other = await openOffice()
    const one = await other.open((await other.file()).path)
    other.editor.rotate()
    other.editor.rotate()
    expect((await one.check()).status).toBe(500)
    expect(other.editor.reads).toBe(1)
    const later = Date.now() + 61_000
    const clock = Date.now
    Date.now = () => later
    onTestFinished(() => {
      Date.now = clock
    })
    expect((await one.check({ signing: { at: later } })).status).toBe(200)
    expect(other.editor.reads).toBe(2)
  })
})

describe('WOPI-04 the address of a proof', () => {
  test('is the configured one, whatever Host and X-Forwarded-* say', async () => {
    const one = await open((await file()).path)
    const headers = {
      'X-Forwarded-Host': 'evil.test',
      'X-Forwarded-Proto': 'https',
      Host: 'evil.test',
      Forwarded: 'host=evil.test',
    }
    expect((await one.check({ headers })).status).toBe(200)
    const target = `/wopi/files/${one.id}?access_token=${one.token}&access_token_ttl=1`
    for (const origin of ['https://evil.test', 'http://evil.test', server.url])
      expect((await one.check({ headers, signing: { url: origin + target } })).status).toBe(500)
  })

  test('is officeCallback where the editor reaches the server by another way', async () => {
    const other = await openOffice({ flags: ['--officeCallback', 'http://inside.test:8080'] })
    const { path } = await other.file()
    const source = sourceIn(json(await other.ask(path)))
    const one = documentOf(other.editor, { server: other.server, origin: 'http://inside.test:8080' }, source)
    expect((await one.check()).status).toBe(200)
    expect(json(await one.check()).PostMessageOrigin).toBe(PUBLIC)
    const outside = documentOf(other.editor, { server: other.server, origin: PUBLIC }, source)
    expect((await outside.check()).status).toBe(500)
  })
})

describe('WOPI-05 a request from outside officeNetworks', () => {
  test('is 404, also with a good token and a good proof', async () => {
    const other = await openOffice({ flags: ['--trustedProxies', '127.0.0.1'] })
    const one = await other.open((await other.file()).path)
    expect((await one.check()).status).toBe(200)
    expect((await one.check({ headers: { 'X-Forwarded-For': '203.0.113.9' } })).status).toBe(404)
  })

  test('is the only refusal for an editor that signs nothing', async () => {
    const other = await openOffice({ editor: await startEditor({ signs: false }) })
    const one = await other.open((await other.file()).path)
    expect((await one.check({ signing: false })).status).toBe(200)
  })
})

describe('WOPI-06 PutFile', () => {
  test('without the lock, or with another one, changes nothing', async () => {
    const one = await open((await file()).path)
    expect((await one.put('stolen')).status).toBe(409)
    expect((await one.put('stolen', 'L')).status).toBe(409)
    await one.lock('L')
    for (const lock of [undefined, 'l', 'L2']) {
      const answer = await one.put('stolen', lock)
      expect([answer.status, answer.headers.get('x-wopi-lock')]).toEqual([409, 'L'])
    }
    expect((await one.get()).text).toBe('content')
  })

  test('of a file that WebDAV has locked changes nothing, and its lock cannot be taken', async () => {
    const { path } = await file('')
    const one = await open(path)
    const body = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'
    expect((await dav('LOCK', path, { body })).status).toBe(200)
    for (const answer of [await one.put('stolen'), await one.lock('L')]) {
      expect([answer.status, answer.headers.get('x-wopi-lock')]).toEqual([409, ''])
      expect(answer.headers.get('x-wopi-lockfailurereason')).not.toBe('')
    }
    expect((await one.get()).text).toBe('')
  })

  test('of the editor is safe from all others: their changes are 423, and its token is in no listing', async () => {
    const { path } = await file()
    const one = await open(path)
    await one.lock('L')
    const [{ token = '' } = {}] = await place.context.db
      .selectFrom('locks')
      .selectAll()
      .where('wopi_id', '=', 'L')
      .execute()
    expect(token).toMatch(/^opaquelocktoken:/)
    expect((await dav('PUT', path, { body: 'stolen' })).status).toBe(423)
    const listed = await dav('PROPFIND', path, {
      headers: { Depth: '0' },
      body: '<propfind xmlns="DAV:"><prop><lockdiscovery/></prop></propfind>',
    })
    expect(listed.body.toString()).toContain('activelock')
    expect(listed.body.toString()).not.toContain(token)
    const save = call(server, `/api/resources${path}`, { method: 'PUT', token: place.session, body: 'stolen' })
    expect((await save).status).toBe(423)
    const { locks } = json(await call(server, `/api/locks${path}`, { token: place.session }))
    expect(locks).toMatchObject([{ via: 'wopi', label: 'Office', mine: true }])
  })
})

describe('WOPI-07 the ids of files', () => {
  test('are random, and listed nowhere', async () => {
    const ids = await Promise.all([file(), file()].map(async made => (await open((await made).path)).id))
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(ids).size).toBe(2)
    for (const path of ['/wopi', '/wopi/', '/wopi/files', '/wopi/files/', '/wopi/files/x/y', '/wopi/folders/1']) {
      const answer = await call(server, path, { token: place.admin.token })
      expect(answer.text).not.toMatch(/[0-9a-f]{32}/)
      if (path.startsWith('/wopi/')) expect([401, 404]).toContain(answer.status)
    }
  })

  test('open nothing, and an unknown one is as a wrong token', async () => {
    const one = await open((await file()).path)
    expect(await statuses([one.check({ token: '' }), one.check({ id: 'f'.repeat(32) })])).toEqual([401, 401])
  })
})

describe('WOPI-08 names in UTF-7', () => {
  const relative = (one: OpenDocument, name: string, mode = 'RelativeTarget') =>
    one.post('PUT_RELATIVE', { [`X-WOPI-${mode}`]: name }, { body: 'copy' })

  test.each([
    '+AC8-etc',
    '..',
    '+AC4ALg-',
    '../x.odt',
    'a/b.odt',
    '+AAA-.odt',
    `${'x'.repeat(512)}`,
    '+2D0-.odt',
    '+',
    'ä.odt',
  ])('that are no name are 400: %s', async name => {
    const one = await open((await file()).path)
    expect((await relative(one, name)).status).toBe(400)
  })

  test.each([
    ['+AC8-etc+AC8-passwd', '_etc_passwd'],
    ['../../b.odt', 'a.._.._b.odt'],
    ['b+AFw-c.odt', 'b_c.odt'],
    ['b+AA0ACg-c.odt', 'b__c.odt'],
  ])('that are suggested stay in the folder: %s', async (name, made) => {
    const one = await open((await file()).path)
    expect(json(await relative(one, name, 'SuggestedTarget')).Name).toBe(made)
  })

  test('never replace a file that a rule hides', async () => {
    const { path, folder } = await file()
    const { session } = await account(place, {
      rules: [{ allow: false, regex: false, path: `${folder}/b.odt`, regexp: { raw: '' } }],
    })
    const one = await open(path, { token: session })
    const answer = await one.post(
      'PUT_RELATIVE',
      { 'X-WOPI-RelativeTarget': 'b.odt', 'X-WOPI-OverwriteRelativeTarget': 'true' },
      { body: 'x' },
    )
    expect([404, 409]).toContain(answer.status)
    expect(json(await relative(one, 'b.odt', 'SuggestedTarget')).Name).toBe('b(1).odt')
  })
})

describe('WOPI-09 a message from a foreign origin', () => {
  test('cannot come from a frame: only the editor may be in one, and only while the host has one', () => {
    const page = pagePolicy({ office: 'https://office.test' })
    expect(page).toContain("frame-src 'self' https://office.test;")
    expect(page).toContain("form-action 'self' https://office.test;")
    expect(pagePolicy()).toContain("form-action 'self';")
    expect(pagePolicy()).not.toContain('frame-src')
  })

  test('is not asked for: the editor learns the origin of the interface from the configuration', async () => {
    const one = await open((await file()).path)
    const headers = { Origin: 'https://evil.test', Referer: 'https://evil.test/' }
    expect(json(await one.check({ headers })).PostMessageOrigin).toBe(PUBLIC)
  })
})

describe('WOPI-10 a discovery', () => {
  /** What a user gets whose editor answers in this way. */
  async function refused(answer: NonNullable<typeof editor.answer>): Promise<number> {
    liar.editor.answer = answer
    return (await liar.ask((await liar.file()).path)).status
  }

  test('with a document type, and so with entities, is refused', async () => {
    const xml = discovery(editor).replace('?>', '?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>')
    expect(await refused(response => void response.end(xml))).toBe(503)
  })

  test('that never ends is cut', async () => {
    const status = await refused(response => {
      const more = () => void (response.destroyed || response.write(' '.repeat(65_536), () => setImmediate(more)))
      response.writeHead(200)
      more()
    })
    expect(status).toBe(503)
  })

  test('elsewhere is not followed', async () => {
    const hits: string[] = []
    const target = createServer((request, response) => {
      hits.push(request.url ?? '')
      response.end(discovery(editor))
    })
    await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void target.close())
    const location = `http://127.0.0.1:${(target.address() as AddressInfo).port}/hosting/discovery`
    expect(await refused(response => void response.writeHead(302, { Location: location }).end())).toBe(503)
    expect(hits).toEqual([])
  })

  test('with addresses of another origin opens nothing there', async () => {
    const xml = discovery({ ...editor, url: 'https://evil.test' })
    expect(await refused(response => void response.end(xml))).toBe(415)
  })

  test('of an editor at a private address is read only where the host permits its network', async () => {
    const own = await startEditor()
    const none = await openDav('--office', own.url, '--publicURL', PUBLIC)
    const { session } = await account(none)
    await call(none.server, '/api/resources/a.odt', { method: 'POST', token: session, body: 'x' })
    expect((await everyone(none, session, '/a.odt')).status).toBe(503)
    expect(own.reads).toBe(0)
    own.close()
  })
})

import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { call, json } from '../api/client.ts'
import { discovery } from '../office/editor.ts'
import { type OfficePlace, openOffice, PUBLIC, sourceIn } from '../office/office-place.ts'
import { account, makeToken, openDav } from './dav-place.ts'

const place = await openOffice()
const { ask, editor, file, open, server } = place

describe('POST /api/office/open', () => {
  test('has the address of the editor for the document, with the language of the user', async () => {
    const answer = await ask((await file()).path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const opened = json(answer)
    const action = new URL(opened.action)
    expect(`${action.origin}${action.pathname}`).toBe(`${editor.url}/edit`)
    expect(Object.fromEntries(action.searchParams)).toEqual({
      ui: 'en',
      lang: 'en',
      WOPISrc: `${PUBLIC}/wopi/files/${sourceIn(opened).id}`,
    })
    expect(opened.writable).toBe(true)
    expect(opened.ttl - Date.now()).toBeGreaterThan(9.9 * 3_600_000)
  })

  test('opens for viewing where it is asked for, and without the right to modify', async () => {
    const { path } = await file()
    const { session } = await account(place, { perm: { download: true } })
    for (const answer of [await ask(path, { mode: 'view' }), await ask(path, { token: session })]) {
      expect(json(answer).writable).toBe(false)
      expect(json(answer).action).toContain('/view?')
    }
  })

  test('says why a document is only shown: rights, a lock of WebDAV with who has it, or the editor', async () => {
    const reader = await account(place, { perm: { download: true } })
    const seen = json(await ask((await file()).path, { token: reader.session }))
    expect(seen).toMatchObject({ writable: false, reason: 'rights' })

    const { path } = await file()
    const body = '<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype></lockinfo>'
    expect((await place.dav('LOCK', path, { body, headers: { 'User-Agent': 'LibreOffice' } })).status).toBe(200)
    const locked = json(await ask(path, { token: place.admin.token }))
    expect(locked).toMatchObject({ writable: false, reason: 'locked', lock: { mine: true, label: 'LibreOffice' } })
    expect(json(await ask(path)).lock).toMatchObject({ mine: false })
    expect((await (await open(path)).lock('L')).status).toBe(404)

    expect(json(await ask((await file('x', 'a.pdf')).path))).toMatchObject({ writable: false, reason: 'format' })
  })

  test('says no reason for what is writable, also while the editor has locked it, or was to be viewed', async () => {
    const { path } = await file()
    await (await open(path)).lock('L')
    for (const mode of ['edit', 'view'] as const) expect(json(await ask(path, { mode }))).not.toHaveProperty('reason')
    expect(json(await ask(path)).writable).toBe(true)
  })

  test('needs the right to read, as the rules have it', async () => {
    const { path } = await file()
    const rules = [{ allow: false, regex: false, path, regexp: { raw: '' } }]
    for (const fields of [{ perm: { create: true, modify: true } }, { rules }, { scope: '/elsewhere' }]) {
      const { session } = await account(place, fields)
      expect([403, 404]).toContain((await ask(path, { token: session })).status)
    }
  })

  test('is 409 for a folder, 404 for nothing, 400 for no path, and 415 for what the editor does not open', async () => {
    const { folder, path } = await file('x', 'a.xyz')
    expect((await ask(folder)).status).toBe(409)
    expect((await ask(`${path}.odt`)).status).toBe(404)
    expect((await ask('/../a.odt')).status).toBe(400)
    expect((await ask(path)).status).toBe(415)
  })

  test('is refused for API tokens, whatever they may do', async () => {
    const { id } = await account(place)
    const secret = await makeToken(place, id)
    const body = JSON.stringify({ path: (await file()).path })
    const headers = { Authorization: `Bearer ${typeof secret === 'string' ? secret : secret.secret}` }
    expect((await call(server, '/api/office/open', { method: 'POST', headers, body })).status).toBe(403)
  })

  test('is 501 on a host without an editor', async () => {
    const none = await openDav()
    const { session } = await account(none)
    const body = JSON.stringify({ path: '/a.odt' })
    expect((await call(none.server, '/api/office/open', { method: 'POST', token: session, body })).status).toBe(501)
  })

  test('is 503 while the editor cannot be reached, and works once it can', async () => {
    const other = await openOffice()
    const { path } = await other.file()
    other.editor.answer = response => void response.writeHead(502).end()
    expect((await other.ask(path)).status).toBe(503)
    other.editor.answer = undefined
    expect((await other.ask(path)).status).toBe(200)
  })
})

describe('POST /api/office/test', () => {
  const look = async (other: OfficePlace) =>
    json(await call(other.server, '/api/office/test', { method: 'POST', token: other.admin.token }))

  test('says that the discovery is read, and when the editor called', async () => {
    const other = await openOffice()
    const before = await look(other)
    expect(before).toEqual({
      discovery: { ok: true, extensions: 5, signs: true },
      calls: { address: PUBLIC },
      pages: { ok: true, origin: other.editor.url },
    })
    const one = await other.open((await other.file()).path)
    await one.check()
    expect((await one.check({ signing: { url: `${PUBLIC}/elsewhere` } })).status).toBe(500)
    expect((await look(other)).calls).toEqual({
      address: PUBLIC,
      answered: expect.stringMatching(/Z$/),
      refused: expect.stringMatching(/Z$/),
    })
  })

  test('says why the discovery is not read, and that its addresses lead elsewhere', async () => {
    const other = await openOffice()
    other.editor.answer = response => void response.writeHead(502).end()
    const away = await look(other)
    expect(away.discovery).toEqual({ ok: false, reason: 'The status is 502.' })
    expect(away).not.toHaveProperty('pages')
    const { keys } = other.editor
    other.editor.answer = response => void response.end(discovery({ url: 'http://127.0.0.1:1', keys }))
    expect((await look(other)).pages).toEqual({ ok: false, origin: other.editor.url })
  })

  test('is for administrators, and 501 on a host without an editor', async () => {
    expect((await call(server, '/api/office/test', { method: 'POST', token: place.session })).status).toBe(403)
    const none = await openDav()
    expect((await call(none.server, '/api/office/test', { method: 'POST', token: none.admin.token })).status).toBe(501)
  })
})

describe('the settings', () => {
  const flags =
    (...more: string[]) =>
    () =>
      readConfig(['--root', '/tmp', ...more], {})

  test('need the public address, and fit the base URL', () => {
    expect(flags('--office', 'https://office.test')).toThrow('--office needs --publicURL')
    const both = ['--office', 'https://office.test', '--publicURL', PUBLIC]
    expect(flags(...both)).not.toThrow()
    expect(flags(...both, '--officeCallback', 'http://inside.test/files')).toThrow("base URL ''")
    expect(flags(...both, '--officeNetworks', 'office.test')).toThrow('A network must be')
    expect(flags('--office', 'ftp://office.test', '--publicURL', PUBLIC)).toThrow('The address of the office editor')
  })
})

describe('the log', () => {
  test('has no token of an editor', async () => {
    const one = await open((await file()).path)
    await one.check()
    await one.check({ id: 'other' })
    await expect
      .poll(() => readFile(place.log, 'utf8'))
      .toContain('/wopi/files/other?access_token=…&access_token_ttl=…')
    expect(await readFile(place.log, 'utf8')).not.toContain(one.token)
  })
})

describe('below a base URL', () => {
  test('the editor is answered as elsewhere', async () => {
    const other = await openOffice({ flags: ['--baseURL', '/files', '--publicURL', `${PUBLIC}/files`] })
    const opened = json(await other.ask((await other.file()).path))
    expect(new URL(opened.action).searchParams.get('WOPISrc')).toMatch(
      /^http:\/\/files\.test\/files\/wopi\/files\/[0-9a-f]{32}$/,
    )
    const { id, token } = sourceIn(opened)
    const target = `/files/wopi/files/${id}?access_token=${token}`
    const headers = other.editor.headers(PUBLIC + target, token)
    const answer = await call({ url: new URL(other.server.url).origin }, target, { headers })
    expect(answer.status).toBe(200)
  })
})

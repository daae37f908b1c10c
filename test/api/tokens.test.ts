import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, perm, send } from './accounts.ts'
import { call, claimsOf, json, login, signIn } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)
const RIGHTS = perm('create', 'modify', 'rename', 'delete', 'share', 'download')

interface Made {
  id: string
  token: string
}

const ask = (token: string | undefined, fields: object = {}) =>
  send(wire, 'POST', '/api/tokens', token, {
    label: 'Laptop',
    scopes: ['write'],
    current_password: GOOD_PASSWORD,
    ...fields,
  })

/** A token that must be made. */
async function make(token: string, fields: object = {}): Promise<Made> {
  const answer = await ask(token, fields)
  if (answer.status !== 201) throw new Error(`no token: ${answer.status} ${answer.text}`)
  return json(answer)
}

const someone = (fields: object = {}) => newcomer(wire, admin, { perm: RIGHTS, ...fields })
const works = async (token: string) => (await call(wire, '/api/resources/', { token })).status
const list = async (token: string) => json(await call(wire, '/api/tokens', { token }))
const basic = (name: string, secret: string) => `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`
const withAuthorization = (Authorization: string, more: object = {}) =>
  call(wire, '/api/resources/', { headers: { Authorization, ...more } })

describe('a new API token', () => {
  test('is shown once, and listed without its secret', async () => {
    const { token: session } = await someone()
    const answer = await ask(session, { scopes: ['share', 'write'], expires: '2999-01-01T00:00:00Z' })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const { token, ...rest } = json(answer)
    expect(token).toMatch(/^flg_[0-9A-Za-z]{36}$/)
    expect(rest).toMatchObject({
      ...{ label: 'Laptop', scopes: ['read', 'write', 'share'], folders: [], networks: [] },
      ...{ expires: '2999-01-01T00:00:00.000Z', used: null, hint: token.slice(-4) },
    })
    expect(await list(session)).toEqual([rest])
  })

  test('works in X-Auth, as Bearer, and as the password of Basic with the name of its account', async () => {
    const { token: session, name } = await someone()
    const { token } = await make(session)
    expect(await works(token)).toBe(200)
    expect((await withAuthorization(`Bearer ${token}`)).status).toBe(200)
    expect((await withAuthorization(`bearer ${token}`)).status).toBe(200)
    expect((await withAuthorization(basic(name, token))).status).toBe(200)
  })

  test('needs the password, a label, scopes, and folders, networks and a time that exist', async () => {
    const { token } = await someone()
    const refused: [object, string][] = [
      [{ current_password: OTHER_PASSWORD }, 'current password'],
      [{ label: '  ' }, 'label'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['everything'] }, 'scopes'],
      [{ folders: ['/not-there'] }, 'folders'],
      [{ folders: ['../..'] }, 'folders'],
      [{ networks: ['10.0.0.0/99'] }, 'networks'],
      [{ expires: '2020-01-01T00:00:00Z' }, 'expires'],
      [{ expires: 'soon' }, 'expires'],
    ]
    for (const [fields, word] of refused) {
      const answer = await ask(token, fields)
      expect([fields, answer.status, answer.text]).toEqual([fields, 400, expect.stringContaining(word)])
    }
    expect((await ask(token, { scopes: ['admin'] })).status).toBe(403)
    expect((await ask(undefined)).status).toBe(401)
    expect(await list(token)).toEqual([])
  })

  test('is refused beyond fifty', async () => {
    const { token } = await someone()
    // A password that is being checked counts as a wrong one until then.
    for (let count = 0; count < 50; count += 5) await Promise.all(Array.from({ length: 5 }, () => make(token)))
    expect((await ask(token)).status).toBe(409)
  })
})

describe('PAT-03 a token', () => {
  test('with one changed character, and its stored hash, are refused', async () => {
    const { token } = await make((await someone()).token)
    for (const at of token.split('').keys()) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
      expect([at, await works(changed)]).toEqual([at, 401])
    }
    expect(await works(`${token}A`)).toBe(401)
    // As the database has it; also as the part of a token before its checksum.
    const hash = createHash('sha256').update(token).digest('hex')
    for (const secret of [hash, `flg_${hash}`, `flg_${hash.slice(0, 36)}`])
      expect((await withAuthorization(`Bearer ${secret}`)).status).toBe(401)
    expect(await works(token)).toBe(200)
  })

  test('with the name of another account is refused, even if a right cookie follows', async () => {
    const { token: session, name } = await someone()
    const { token } = await make(session)
    for (const other of ['', 'admin', name.toUpperCase(), `${name} `]) {
      const answer = await withAuthorization(basic(other, token), { Cookie: `auth=${session}` })
      expect([other, answer.status]).toEqual([other, 401])
      expect(answer.headers.get('www-authenticate')).toBeNull()
    }
  })

  test('is needed for Basic: a password is not accepted, and leaves the cookie alone', async () => {
    const { token: session, name } = await someone()
    const right = basic(name, GOOD_PASSWORD)
    expect((await withAuthorization(right)).status).toBe(401)
    expect((await withAuthorization(right, { Cookie: `auth=${session}` })).status).toBe(200)
  })
})

describe('PAT-05 a token', () => {
  test('survives a changed password, and ends with its account', async () => {
    const person = await someone()
    const { token } = await make(person.token)
    expect((await admin.update(person.id, ['password'], { id: person.id, password: OTHER_PASSWORD })).status).toBe(200)
    expect(await works(person.token)).toBe(401)
    expect(await works(token)).toBe(200)
    expect((await admin.remove(person.id)).status).toBe(200)
    expect(await works(token)).toBe(401)
  })

  test('loses what its account loses with the next request', async () => {
    const person = await someone()
    const { token } = await make(person.token)
    const put = () => call(wire, `/api/resources/${uniqueName('f')}`, { method: 'POST', token, body: 'x' })
    expect((await put()).status).toBe(200)
    await admin.update(person.id, ['perm'], { id: person.id, perm: perm('download') })
    expect((await put()).status).toBe(403)
  })
})

describe('PAT-06 a token', () => {
  test('is refused in the query and in the cookie', async () => {
    const { token } = await make((await someone()).token)
    expect((await call(wire, `/api/raw/?auth=${token}`)).status).toBe(401)
    expect((await call(wire, '/api/resources/', { headers: { Cookie: `auth=${token}` } })).status).toBe(401)
  })
})

describe('PAT-07 a page of another site', () => {
  test('changes nothing with Basic credentials that the browser remembers', async () => {
    const { token: session, name } = await someone()
    const { token } = await make(session)
    const path = `/api/resources/${uniqueName('f')}`
    for (const site of ['cross-site', 'same-site']) {
      const headers = { Authorization: basic(name, token), 'Sec-Fetch-Site': site }
      expect((await call(wire, path, { method: 'POST', headers, body: 'x' })).status).toBe(403)
    }
    expect((await call(wire, path, { token })).status).toBe(404)
    const own = { Authorization: basic(name, token), 'Sec-Fetch-Site': 'same-origin' }
    expect((await call(wire, path, { method: 'POST', headers: own, body: 'x' })).status).toBe(200)
  })
})

describe('PAT-08 a session that a token started', () => {
  test('is signed in to with the token as the password, and only does what the token may', async () => {
    const { token: own, name } = await someone()
    const { token, id } = await make(own, { scopes: ['read'] })
    expect((await login(wire, 'admin', token)).status).toBe(403)
    const session = await signIn(wire, name, token)
    expect(claimsOf(session).user.perm).toMatchObject({ download: true, create: false, share: false })
    expect(await works(session)).toBe(200)
    const body = { method: 'POST', token: session, body: 'x' }
    expect((await call(wire, '/api/resources/no.txt', body)).status).toBe(403)
    expect((await ask(session)).status).toBe(403)
    for (const path of ['/api/sessions', '/api/account/factors', '/api/tokens'])
      expect([path, (await call(wire, path, { token: session })).status]).toEqual([path, 403])
    const renewed = await call(wire, '/api/renew', { method: 'POST', token: session })
    expect(renewed.status).toBe(200)
    expect(claimsOf(renewed.text).user.perm).toMatchObject({ create: false })
    expect((await call(wire, '/api/renew', { method: 'POST', token })).status).toBe(403)
    await call(wire, `/api/tokens/${id}`, { method: 'DELETE', token: own })
    for (const ended of [session, renewed.text]) expect(await works(ended)).toBe(401)
    expect((await login(wire, name, token)).status).toBe(403)
  })

  test('changes neither the password nor the profile of its account', async () => {
    const person = await someone()
    const session = await signIn(wire, person.name, (await make(person.token)).token)
    const data = { id: person.id, locale: 'de', password: OTHER_PASSWORD }
    for (const which of [['locale'], ['password']]) {
      const request = { what: 'user', which, data, current_password: GOOD_PASSWORD }
      expect((await send(wire, 'PUT', `/api/users/${person.id}`, session, request)).status).toBe(403)
    }
    expect((await login(wire, person.name, GOOD_PASSWORD)).status).toBe(200)
  })

  test('signs out without ending the token', async () => {
    const { token: own, name } = await someone()
    const { token } = await make(own)
    const session = await signIn(wire, name, token)
    expect((await call(wire, '/api/logout', { method: 'POST', token: session })).status).toBe(204)
    expect(await works(session)).toBe(401)
    expect((await call(wire, '/api/logout', { method: 'POST', token })).status).toBe(204)
    expect(await works(token)).toBe(200)
  })
})

describe('PAT-02 a token of a folder', () => {
  test('names only links and jobs in it', async () => {
    const { path } = await corner(wire)
    const { token: session } = await someone()
    const put = (target: string) => call(wire, `/api/resources${target}`, { method: 'POST', token: session, body: 'x' })
    for (const target of [`${path}/in/a.txt`, `${path}/out/secret.txt`]) expect((await put(target)).status).toBe(200)
    const link = json(await send(wire, 'POST', `/api/share${path}/out/secret.txt`, session, {}))
    const body = {
      kind: 'copy',
      items: [{ from: `${path}/out/secret.txt`, to: `${path}/out/c.txt` }],
      runAt: new Date(Date.now() + 3_600_000).toISOString(),
    }
    const job = json(await send(wire, 'POST', '/api/jobs', session, body))

    const { token } = await make(session, { folders: [`${path}/in`], scopes: ['write', 'share'] })
    const own = json(await send(wire, 'POST', `/api/share${path}/in/a.txt`, token, {}))
    expect(json(await call(wire, '/api/shares', { token })).map(({ hash }: { hash: string }) => hash)).toEqual([
      own.hash,
    ])
    expect((await call(wire, `/api/share/${link.hash}`, { method: 'DELETE', token })).status).toBe(404)
    expect(json(await call(wire, '/api/jobs', { token }))).toEqual([])
    expect((await call(wire, `/api/jobs/${job.id}`, { token })).status).toBe(404)
    for (const up of [
      '/api/resources/',
      `/api/resources${path}/`,
      `/api/resources${path}/out/`,
      `/api/search${path}/?query=secret`,
      `/api/raw${path}/?algo=zip`,
      `/api/sizes${path}/`,
      `/api/events?folder=${encodeURIComponent(path)}`,
      `/api/events?folder=${encodeURIComponent(`${path}/out`)}`,
    ])
      expect([up, (await call(wire, up, { token })).text]).toEqual([up, '403 Forbidden\n'])
    const across = `/api/resources${path}/in/a.txt?action=copy&destination=${encodeURIComponent(`${path}/out/b.txt`)}`
    expect((await call(wire, across, { method: 'PATCH', token })).status).toBe(403)
    expect((await call(wire, `/api/raw${path}/in/../out/secret.txt`, { token })).text).not.toBe('x')
    expect(await call(wire, `/api/raw${path}/in/a.txt`, { token })).toMatchObject({ status: 200, text: 'x' })
    await call(wire, `/api/jobs/${job.id}/cancel`, { method: 'POST', token: session })
  })
})

describe('API tokens', () => {
  test('are renamed and ended one by one, or all at once', async () => {
    const { token: session } = await someone()
    const [one, two] = [await make(session), await make(session)]
    const answer = await send(wire, 'PATCH', `/api/tokens/${one.id}`, session, { label: 'Phone' })
    expect(json(answer)).toMatchObject({ id: one.id, label: 'Phone' })
    expect((await send(wire, 'PATCH', `/api/tokens/${one.id}`, session, { label: '' })).status).toBe(400)
    const end = (id: string) => call(wire, `/api/tokens/${id}`, { method: 'DELETE', token: session })
    expect((await end(one.id)).status).toBe(204)
    expect((await end(one.id)).status).toBe(404)
    expect((await send(wire, 'PATCH', `/api/tokens/${one.id}`, session, { label: 'x' })).status).toBe(404)
    expect([await works(one.token), await works(two.token)]).toEqual([401, 200])
    expect((await call(wire, '/api/tokens', { method: 'DELETE', token: session })).status).toBe(204)
    expect(await works(two.token)).toBe(401)
  })

  test('of others are no one’s but an administrator’s to see and to end', async () => {
    const [person, other] = [await someone(), await someone()]
    const { id, token } = await make(person.token)
    expect((await call(wire, `/api/tokens/${id}`, { method: 'DELETE', token: other.token })).status).toBe(404)
    const theirs = `/api/users/${person.id}/tokens`
    expect((await call(wire, theirs, { token: person.token })).status).toBe(403)
    expect((await call(wire, `${theirs}/${id}`, { method: 'DELETE', token: other.token })).status).toBe(403)
    expect(json(await call(wire, theirs, { token: admin.token }))).toMatchObject([{ id, label: 'Laptop' }])
    expect((await call(wire, '/api/users/999999/tokens', { token: admin.token })).status).toBe(404)
    expect((await call(wire, `${theirs}/none`, { method: 'DELETE', token: admin.token })).status).toBe(404)
    expect((await call(wire, `${theirs}/${id}`, { method: 'DELETE', token: admin.token })).status).toBe(204)
    expect(await works(token)).toBe(401)
  })

  test('tell a client what they may do, and manage no tokens', async () => {
    const { token: session, name } = await someone()
    const { token, id } = await make(session, { scopes: ['read'] })
    const self = await call(wire, '/api/tokens/self', { token })
    expect(json(self)).toMatchObject({ id, username: name, scopes: ['read'] })
    expect(self.text).not.toContain(token)
    expect((await call(wire, '/api/tokens/self', { token: session })).status).toBe(404)
    expect((await ask(token)).status).toBe(403)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', `/${id}`],
      ['DELETE', `/${id}`],
    ] as const) {
      const { status, headers } = await send(
        wire,
        method,
        `/api/tokens${path}`,
        token,
        method === 'PATCH' ? { label: 'x' } : undefined,
      )
      expect([method, status, headers.get('x-error-code')]).toEqual([method, 403, 'token_scope'])
    }
  })

  test('need a session of their own', async () => {
    for (const [method, path] of [
      ['GET', '/api/tokens'],
      ['DELETE', '/api/tokens'],
      ['PATCH', '/api/tokens/x'],
      ['DELETE', '/api/tokens/x'],
      ['GET', '/api/tokens/self'],
      ['GET', '/api/users/1/tokens'],
      ['DELETE', '/api/users/1/tokens/x'],
    ] as const)
      expect([method, path, (await call(wire, path, { method })).status]).toEqual([method, path, 401])
  })

  test('show their last use with the client, and appear in the audit log', async () => {
    const { token: session, name } = await someone()
    const { token, id } = await make(session)
    const path = `/${uniqueName('f')}`
    const headers = { 'User-Agent': 'Backup/1' }
    expect((await call(wire, `/api/resources${path}`, { method: 'POST', token, headers, body: 'x' })).status).toBe(200)
    await expect
      .poll(() => list(session))
      .toMatchObject([{ agent: 'Backup/1', used: expect.stringMatching(/^\d{4}-/) }])
    await call(wire, `/api/tokens/${id}`, { method: 'DELETE', token: session })
    const { rows } = json(await call(wire, `/api/audit?user=${name}`, { token: admin.token }))
    const about = (action: string) =>
      rows.find((row: { action: string; username: string }) => row.action === action && row.username === name)
    expect(about('upload')).toMatchObject({ way: 'apitoken', path, target: `token:${id}` })
    expect(about('token.add')).toMatchObject({ way: 'session', target: `token:${id} Laptop`, outcome: 'done' })
    expect(about('token.remove')).toMatchObject({ target: `token:${id} Laptop`, outcome: 'done' })
    expect(JSON.stringify(rows)).not.toContain(token)
  })
})

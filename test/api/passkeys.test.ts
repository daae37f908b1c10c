import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from './accounts.ts'
import { Authenticator, type Twist } from './authenticator.ts'
import { call, json } from './client.ts'
import { openInstance } from './instance.ts'
import { confirmedLongAgo } from './late.ts'

const instance = await openInstance()
// Passkeys need the name of a host.
const wire = { ...instance, url: instance.url.replace('127.0.0.1', 'localhost') }
const { origin } = new URL(wire.url)
const admin = await manager(wire)

const post = (path: string, body: unknown, token?: string) => send(wire, 'POST', path, token, body)
const ticketOf = ({ headers }: { headers: Headers }) => headers.get('x-login-ticket') ?? ''
const works = async (token: string) => (await call(wire, '/api/resources/', { token })).status
const status = async (token: string) => json(await call(wire, '/api/account/factors', { token }))

/** Makes a passkey. @param password not sent if it is empty */
async function enrol(token: string, twist?: Twist, label = 'Key', password = GOOD_PASSWORD) {
  const confirmation = password === '' ? {} : { current_password: password }
  const begun = await post('/api/account/passkeys/options', confirmation, token)
  if (begun.status !== 200) throw new Error(`not begun: ${begun.status} ${begun.text}`)
  const { ticket, options } = json(begun)
  const key = new Authenticator(origin)
  const body = { ticket, label, response: key.create(options, twist) }
  return { key, body, made: await post('/api/account/passkeys', body, token) }
}

/** A user with a passkey. */
async function keyHolder() {
  const { token, name, id } = await newcomer(wire, admin)
  const { key, made } = await enrol(token)
  if (made.status !== 201) throw new Error(`not made: ${made.status} ${made.text}`)
  const { passkey, codes } = json(made)
  return { token, name, id, key, passkey, codes: codes as string[] }
}

const ask = async () => json(await post('/api/login/passkey/options', undefined))
const enter = (ticket: string, response: unknown) => post('/api/login/passkey', { ticket, response })

/** The second step, up to the options for the passkey. */
async function secondStep(name: string) {
  const first = ticketOf(await post('/api/login', { username: name, password: GOOD_PASSWORD }))
  return json(await post('/api/login/factor/passkey', { ticket: first }))
}

describe('a passkey', () => {
  test('is made, which gives recovery codes and ends the other sessions', async () => {
    const { token, name } = await newcomer(wire, admin)
    const other = (await post('/api/login', { username: name, password: GOOD_PASSWORD })).text
    const { made } = await enrol(token, {}, '  My phone ')
    expect(made.status).toBe(201)
    expect(json(made)).toMatchObject({ passkey: { label: 'My phone', site: 'localhost', used: null, copied: false } })
    expect(json(made).codes).toHaveLength(10)
    expect([await works(token), await works(other)]).toEqual([200, 401])
    expect(json((await enrol(token)).made).codes).toEqual([])
    expect((await status(token)).passkeys).toHaveLength(2)
  })

  test('MFA-05 is not made for another origin or site, with another challenge, twice, or without verification', async () => {
    const { token } = await newcomer(wire, admin)
    const twists: Twist[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: 'AAAA' },
      { verified: false },
      { fmt: 'packed' },
    ]
    for (const twist of twists) {
      const { made } = await enrol(token, twist)
      expect([made.status, made.text]).toEqual([400, '400 Bad Request (response: is not accepted)\n'])
    }
    const { body } = await enrol(token)
    expect((await post('/api/account/passkeys', body, token)).status).toBe(403)
    const stranger = await newcomer(wire, admin)
    const { ticket, options } = json(
      await post('/api/account/passkeys/options', { current_password: GOOD_PASSWORD }, token),
    )
    const response = new Authenticator(origin).create(options)
    expect((await post('/api/account/passkeys', { ticket, label: 'x', response }, stranger.token)).status).toBe(403)
    expect((await status(token)).passkeys).toHaveLength(1)
    expect((await status(stranger.token)).passkeys).toHaveLength(0)
  })

  test('belongs to one account', async () => {
    const { token, key } = await keyHolder()
    const stranger = await newcomer(wire, admin)
    for (const [user, expected] of [
      [stranger.token, 409],
      [token, 409],
    ] as const) {
      const { ticket, options } = json(
        await post('/api/account/passkeys/options', { current_password: GOOD_PASSWORD }, user),
      )
      const handle = key.handle
      const response = key.create(options)
      key.handle = handle
      expect((await post('/api/account/passkeys', { ticket, label: 'x', response }, user)).status).toBe(expected)
    }
  })

  test('MFA-07 is not added or removed without a confirmation, or with an API token', async () => {
    const { token, passkey } = await keyHolder()
    const fields = { label: 'x', scopes: ['write'], current_password: GOOD_PASSWORD }
    const api = json(await post('/api/tokens', fields, token)).token
    const calls = [
      ['POST', '/api/account/passkeys/options'],
      ['DELETE', `/api/account/passkeys/${passkey.id}`],
    ] as const
    await confirmedLongAgo(wire)
    for (const [method, path] of calls) {
      for (const body of [undefined, {}]) {
        const answer = await send(wire, method, path, token, body)
        expect([answer.status, answer.headers.get('x-error-code')]).toEqual([403, 'confirm_first'])
      }
      expect((await send(wire, method, path, token, { current_password: OTHER_PASSWORD })).status).toBe(400)
      expect((await send(wire, method, path, api, { current_password: GOOD_PASSWORD })).status).toBe(403)
      expect((await send(wire, method, path, undefined)).status).toBe(401)
    }
    for (const [method, path] of [
      ['POST', '/api/account/passkeys'],
      ['PATCH', `/api/account/passkeys/${passkey.id}`],
    ] as const) {
      expect((await send(wire, method, path, undefined, {})).status).toBe(401)
      expect((await send(wire, method, path, api, {})).status).toBe(403)
      expect((await send(wire, method, path, token, {})).status).toBe(400)
    }
    expect((await status(token)).passkeys).toHaveLength(1)
  })

  test('is renamed and removed by its user only, and the last one takes the recovery codes along', async () => {
    const { token, name, passkey } = await keyHolder()
    const stranger = await newcomer(wire, admin)
    const path = `/api/account/passkeys/${passkey.id}`
    expect((await send(wire, 'PATCH', path, stranger.token, { label: 'y' })).status).toBe(404)
    const own = { current_password: GOOD_PASSWORD }
    expect((await send(wire, 'DELETE', path, stranger.token, own)).status).toBe(404)
    for (const label of ['', '   ', 'x'.repeat(65), 'a\u0007b']) {
      expect((await send(wire, 'PATCH', path, token, { label })).status).toBe(400)
    }
    expect(json(await send(wire, 'PATCH', path, token, { label: 'Desk' }))).toMatchObject({ label: 'Desk' })
    expect((await send(wire, 'DELETE', path, token, own)).status).toBe(204)
    expect(await status(token)).toEqual({
      totp: null,
      recoveryCodes: 0,
      passkeys: [],
      due: null,
      devices: [],
      hasPassword: true,
      password: expect.any(String),
    })
    expect((await post('/api/login', { username: name, password: GOOD_PASSWORD })).status).toBe(200)
  })

  test('cannot be made at an IP address, and not more than 20 times', async () => {
    const { key } = await keyHolder()
    const { ticket, options } = await ask()
    const { text: token } = await enter(ticket, key.get(options))
    const byAddress = { ...wire, url: wire.url.replace('localhost', '127.0.0.1') }
    expect((await send(byAddress, 'POST', '/api/account/passkeys/options', token, {})).text).toContain('HTTPS')
    expect((await send(byAddress, 'POST', '/api/login/passkey/options', undefined)).status).toBe(400)
    for (let count = 1; count < 20; count++) expect((await enrol(token, {}, 'Key', '')).made.status).toBe(201)
    expect((await post('/api/account/passkeys/options', {}, token)).status).toBe(409)
  })
})

describe('a sign-in with a passkey alone', () => {
  test('opens a session, which for a while needs no password to be confirmed', async () => {
    const { name, key } = await keyHolder()
    const { ticket, options } = await ask()
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(options.allowCredentials ?? []).toEqual([])
    const entered = await enter(ticket, key.get(options))
    expect([entered.status, await works(entered.text)]).toEqual([200, 200])
    expect((await status(entered.text)).passkeys[0].used).toEqual(expect.any(String))
    expect((await post('/api/account/recovery', undefined, entered.text)).status).toBe(200)
    const wrong = { current_password: OTHER_PASSWORD }
    expect((await post('/api/account/recovery', wrong, entered.text)).status).toBe(400)
    const { rows } = json(await call(wire, '/api/audit?action=login', { token: admin.token }))
    expect(rows[0]).toMatchObject({ username: name, way: 'passkey', target: 'passkey', outcome: 'done' })
  })

  test('MFA-05 is refused alike for whatever is wrong', async () => {
    const { key } = await keyHolder()
    const other = await keyHolder()
    const twists: Twist[] = [
      { origin: 'https://evil.example' },
      { origin: `${origin.replace('http:', 'https:')}` },
      { rpId: 'evil.example' },
      { challenge: Buffer.from('another').toString('base64url') },
      { verified: false },
      { signature: Buffer.from('wrong').toString('base64url') },
      { userHandle: other.key.handle },
      { userHandle: null },
    ]
    const refused = twists.map(async twist => {
      const { ticket, options } = await ask()
      const entered = await enter(ticket, key.get(options, twist))
      return [entered.status, entered.text, entered.headers.get('x-error-code')]
    })
    const unknown = await ask()
    const stranger = await enter(
      unknown.ticket,
      new Authenticator(origin).get(unknown.options, { userHandle: key.handle }),
    )
    const alike = [403, '403 Forbidden\n', 'wrong_credentials']
    expect(await Promise.all(refused)).toEqual(twists.map(() => alike))
    expect([stranger.status, stranger.text, stranger.headers.get('x-error-code')]).toEqual(alike)
    for (const body of [{}, { ticket: 'x' }, { ticket: 'x', response: { id: 'x' } }]) {
      expect((await post('/api/login/passkey', body)).status).toBe(400)
    }
  })

  test('MFA-05 takes a challenge once, also for sign-ins at once, and for the response that it asked for', async () => {
    const { key } = await keyHolder()
    const { ticket, options } = await ask()
    const response = key.get(options)
    const entered = await Promise.all([enter(ticket, response), enter(ticket, response)])
    expect(entered.map(answer => answer.status).sort()).toEqual([200, 403])
    const fresh = await ask()
    expect((await enter(fresh.ticket, key.get(options))).status).toBe(403)
    expect((await enter(fresh.ticket, key.get(fresh.options))).status).toBe(403)
  })

  test('MFA-05 is refused for good once the counter of the passkey went back', async () => {
    const { token, key, name } = await keyHolder()
    const enterAt = async (counter: number) => {
      const { ticket, options } = await ask()
      return (await enter(ticket, key.get(options, { counter }))).status
    }
    expect([await enterAt(5), await enterAt(6), await enterAt(6), await enterAt(7)]).toEqual([200, 200, 403, 403])
    expect((await status(token)).passkeys[0]).toMatchObject({ copied: true })
    const { rows } = json(await call(wire, '/api/audit?action=factor.change', { token: admin.token }))
    const own = rows.filter(({ username }: { username: string }) => username === name)
    expect(own).toMatchObject([{ target: 'passkey Key: copied', way: 'server', outcome: 'done' }])
  })

  test('MFA-05 works with authenticators that do not count', async () => {
    const { key } = await keyHolder()
    for (let count = 0; count < 2; count++) {
      const { ticket, options } = await ask()
      expect((await enter(ticket, key.get(options, { counter: 0 }))).status).toBe(200)
    }
  })
})

describe('a passkey after the password', () => {
  test('continues the sign-in, also without verification of the user', async () => {
    const { name, key } = await keyHolder()
    const refused = await post('/api/login', { username: name, password: GOOD_PASSWORD })
    expect([refused.status, refused.headers.get('x-factors')]).toEqual([403, 'passkey, recovery'])
    const { ticket, options } = await secondStep(name)
    expect(options.allowCredentials).toHaveLength(1)
    const passkey = key.get(options, { verified: false })
    const entered = await post('/api/login/factor', { ticket, passkey })
    expect([entered.status, await works(entered.text)]).toEqual([200, 200])
  })

  test('MFA-05 is refused for the ticket of another account, another origin, and a challenge used before', async () => {
    const [ann, bob] = [await keyHolder(), await keyHolder()]
    const { ticket, options } = await secondStep(ann.name)
    const byBob = await post('/api/login/factor', { ticket, passkey: bob.key.get(options) })
    expect(byBob.status).toBe(403)
    const again = ticketOf(byBob)
    expect((await post('/api/login/factor', { ticket: again, passkey: ann.key.get(options) })).status).toBe(403)
    const fresh = await secondStep(ann.name)
    const foreign = { ticket: fresh.ticket, passkey: ann.key.get(fresh.options, { origin: 'https://evil.example' }) }
    expect((await post('/api/login/factor', foreign)).status).toBe(403)
  })

  test('leaves the recovery codes as they are, for who lost the authenticator', async () => {
    const { name, codes } = await keyHolder()
    const { ticket } = await secondStep(name)
    const entered = await post('/api/login/factor', { ticket, code: codes[0] })
    expect(entered.status).toBe(200)
    expect(await status(entered.text)).toMatchObject({ recoveryCodes: 9 })
  })

  test('is asked for only with a ticket, and takes the place of a code', async () => {
    const { name, key } = await keyHolder()
    expect((await post('/api/login/factor/passkey', { ticket: 'x' })).status).toBe(403)
    expect((await post('/api/login/factor/passkey', {})).status).toBe(400)
    const { ticket, options } = await secondStep(name)
    expect((await post('/api/login/factor', { ticket })).status).toBe(400)
    const passkey = key.get(options)
    expect((await post('/api/login/factor', { ticket, code: '000000', passkey })).status).toBe(400)
    expect((await post('/api/login/factor', { ticket, passkey })).status).toBe(200)
  })
})

test('MFA-08 a reset by an administrator removes the passkeys', async () => {
  const { id, key } = await keyHolder()
  const reset = { current_password: wire.adminPassword }
  expect((await send(wire, 'DELETE', `/api/users/${id}/factors`, admin.token, reset)).status).toBe(204)
  expect(json(await call(wire, `/api/users/${id}/factors`, { token: admin.token })).passkeys).toEqual([])
  const { ticket, options } = await ask()
  expect((await enter(ticket, key.get(options))).status).toBe(403)
})

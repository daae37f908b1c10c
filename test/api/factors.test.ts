import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from './accounts.ts'
import { call, json, login } from './client.ts'
import { openInstance } from './instance.ts'
import { confirmedLongAgo } from './late.ts'

const wire = await openInstance()
const admin = await manager(wire)

/** A code of an authenticator app. @param ahead steps of 30 seconds from now */
function codeOf(secret: string, ahead = 0): string {
  const seconds = Math.floor(Date.now() / 1000) + 30 * ahead
  return spawnSync('oathtool', ['--totp', '-b', secret, '--now', `@${seconds}`], { encoding: 'utf8' }).stdout.trim()
}

const begin = (token: string | undefined, password: string | undefined = GOOD_PASSWORD) =>
  send(wire, 'POST', '/api/account/totp', token, { current_password: password })
const confirm = (token: string | undefined, code: string) =>
  send(wire, 'POST', '/api/account/totp/confirm', token, { code })
const status = async (token: string) => json(await call(wire, '/api/account/factors', { token }))
const signIn = (username: string, fields: object = {}) =>
  send(wire, 'POST', '/api/login', undefined, { username, password: GOOD_PASSWORD, ...fields })
const answer = (ticket: string, code: string) => send(wire, 'POST', '/api/login/factor', undefined, { ticket, code })
const ticketOf = ({ headers }: { headers: Headers }) => headers.get('x-login-ticket') ?? ''
const works = async (token: string) => (await call(wire, '/api/resources/', { token })).status

/** A user with an authenticator app. The first code is used up. */
async function protectedUser() {
  const { token, name, id } = await newcomer(wire, admin)
  const { secret } = json(await begin(token))
  const confirmed = await confirm(token, codeOf(secret))
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.text}`)
  return { token, name, id, secret, codes: json(confirmed).codes as string[] }
}

describe('an authenticator app', () => {
  test('counts once a code of it was confirmed, which gives recovery codes', async () => {
    const { token, name } = await newcomer(wire, admin)
    const none = {
      totp: null,
      recoveryCodes: 0,
      passkeys: [],
      due: null,
      password: expect.any(String),
      hasPassword: true,
      devices: [],
    }
    expect(await status(token)).toEqual(none)
    const begun = await begin(token)
    expect(begun.headers.get('cache-control')).toBe('no-store')
    const { secret, address } = json(begun)
    expect(address).toContain(`:${name}?secret=${secret}&issuer=`)
    expect((await signIn(name)).status).toBe(200)
    expect((await confirm(token, '000000')).text).toContain('code: is wrong')
    const { codes } = json(await confirm(token, codeOf(secret)))
    expect(codes).toHaveLength(10)
    expect(await status(token)).toMatchObject({ totp: expect.any(String), recoveryCodes: 10 })
    expect((await begin(token)).status).toBe(409)
    expect((await confirm(token, codeOf(secret, 1))).status).toBe(404)
  })

  test('ends the other sessions when it is turned on, and when it is turned off', async () => {
    const { token, name } = await newcomer(wire, admin)
    const other = (await signIn(name)).text
    const { secret } = json(await begin(token))
    await confirm(token, codeOf(secret))
    expect([await works(token), await works(other)]).toEqual([200, 401])
    const again = (await signIn(name, { otp: codeOf(secret, 1) })).text
    const removed = await send(wire, 'DELETE', '/api/account/totp', token, { current_password: GOOD_PASSWORD })
    expect(removed.status).toBe(204)
    expect([await works(token), await works(again)]).toEqual([200, 401])
    expect((await signIn(name)).status).toBe(200)
  })

  test('MFA-07 is not turned on or off, nor codes shown, without a confirmation or with an API token', async () => {
    const { token } = await protectedUser()
    const fields = { label: 'x', scopes: ['write'], current_password: GOOD_PASSWORD }
    const api = json(await send(wire, 'POST', '/api/tokens', token, fields)).token
    const calls = [
      ['POST', '/api/account/totp'],
      ['DELETE', '/api/account/totp'],
      ['POST', '/api/account/recovery'],
    ] as const
    await confirmedLongAgo(wire)
    for (const [method, path] of calls) {
      for (const body of [undefined, {}]) {
        const answer = await send(wire, method, path, token, body)
        expect([answer.status, answer.headers.get('x-error-code')]).toEqual([403, 'confirm_first'])
      }
      expect((await send(wire, method, path, token, { current_password: OTHER_PASSWORD })).status).toBe(400)
      const byToken = await send(wire, method, path, api, { current_password: GOOD_PASSWORD })
      expect([byToken.status, byToken.headers.get('x-error-code')]).toEqual([403, 'token_scope'])
      expect((await send(wire, method, path, undefined)).status).toBe(401)
    }
    expect((await confirm(api, '000000')).status).toBe(403)
    expect((await confirm(undefined, '000000')).status).toBe(401)
    expect((await call(wire, '/api/account/factors', { token: api })).status).toBe(403)
    expect((await call(wire, '/api/account/factors')).status).toBe(401)
    expect(await status(token)).toMatchObject({ recoveryCodes: 10 })
  })

  test('MFA-07 is not turned on or off, nor codes shown, by the cookie that a page of another site makes browsers send', async () => {
    const { token, name } = await protectedUser()
    for (const [method, path] of [
      ['POST', '/api/account/totp'],
      ['POST', '/api/account/totp/confirm'],
      ['DELETE', '/api/account/totp'],
      ['POST', '/api/account/recovery'],
      ['POST', '/api/account/passkeys/options'],
      ['POST', '/api/account/passkeys'],
    ] as const) {
      const headers = { Cookie: `auth=${token}`, 'Sec-Fetch-Site': 'cross-site' }
      const body = JSON.stringify({ current_password: GOOD_PASSWORD, code: '000000' })
      expect([path, (await call(wire, path, { method, headers, body })).status]).toEqual([path, 401])
    }
    expect((await signIn(name)).headers.get('x-error-code')).toBe('second_factor_required')
    expect(await status(token)).toMatchObject({ recoveryCodes: 10 })
  })

  test('that was never set up cannot be turned off, nor give codes', async () => {
    const { token } = await newcomer(wire, admin)
    const own = { current_password: GOOD_PASSWORD }
    expect((await send(wire, 'DELETE', '/api/account/totp', token, own)).status).toBe(404)
    expect((await send(wire, 'POST', '/api/account/recovery', token, own)).status).toBe(404)
    expect((await send(wire, 'POST', '/api/account/totp/confirm', token, {})).status).toBe(400)
  })
})

describe('a sign-in with a second factor', () => {
  test('MFA-02 opens nothing with the password alone, and names what is missing', async () => {
    const { name } = await protectedUser()
    const refused = await signIn(name)
    expect([refused.status, refused.text]).toEqual([403, '403 Forbidden\n'])
    expect(refused.headers.get('x-error-code')).toBe('second_factor_required')
    expect(refused.headers.get('x-factors')).toBe('totp, recovery')
    expect(refused.headers.get('set-cookie')).toBeNull()
    const ticket = ticketOf(refused)
    const basic = `Basic ${Buffer.from(`${name}:${GOOD_PASSWORD}`).toString('base64')}`
    for (const headers of [
      { Authorization: basic },
      { Authorization: `Bearer ${ticket}` },
      { 'X-Auth': ticket },
      { Cookie: `auth=${ticket}` },
    ]) {
      expect((await call(wire, '/api/resources/', { headers })).status).toBe(401)
    }
    expect((await call(wire, `/api/resources/?auth=${ticket}`)).status).toBe(401)
  })

  test('MFA-02 gives the password no effect as `current_password`, without a session or with the ticket', async () => {
    const { token, name } = await protectedUser()
    const ticket = ticketOf(await signIn(name))
    const fields = { label: 'x', scopes: ['read'], current_password: GOOD_PASSWORD }
    for (const [method, path] of [
      ['POST', '/api/account/confirm'],
      ['POST', '/api/tokens'],
      ['POST', '/api/account/totp'],
      ['DELETE', '/api/account/totp'],
      ['POST', '/api/account/recovery'],
      ['POST', '/api/account/passkeys/options'],
    ] as const)
      for (const credential of [undefined, ticket])
        expect([path, (await send(wire, method, path, credential, fields)).status]).toEqual([path, 401])
    expect(json(await call(wire, '/api/tokens', { token }))).toEqual([])
    expect(await status(token)).toMatchObject({ recoveryCodes: 10, passkeys: [] })
  })

  test('MFA-10 reveals nothing of the factor before the password is right', async () => {
    const { name, secret } = await protectedUser()
    for (const fields of [{ password: OTHER_PASSWORD }, { password: OTHER_PASSWORD, otp: codeOf(secret, 1) }]) {
      const wrong = await signIn(name, fields)
      const unknown = await signIn(`${name}-none`, fields)
      expect([wrong.status, wrong.text, wrong.headers.get('x-error-code'), ticketOf(wrong)]).toEqual([
        unknown.status,
        unknown.text,
        unknown.headers.get('x-error-code'),
        '',
      ])
    }
  })

  test('starts in one call with the code and the password, once for each code', async () => {
    const { name, secret } = await protectedUser()
    const otp = codeOf(secret, 1)
    const entered = await signIn(name, { otp })
    expect(await works(entered.text)).toBe(200)
    expect((await signIn(name, { otp })).status).toBe(403)
    expect((await signIn(name, { otp: '' })).status).toBe(403)
  })

  test('starts in two calls with a ticket, which counts once', async () => {
    const { name, secret } = await protectedUser()
    const ticket = ticketOf(await signIn(name))
    const entered = await answer(ticket, codeOf(secret, 1))
    expect(await works(entered.text)).toBe(200)
    expect((await answer(ticket, codeOf(secret, 1))).status).toBe(403)
    expect((await send(wire, 'POST', '/api/login/factor', undefined, { ticket })).status).toBe(400)
  })

  test('MFA-03 takes one code once, also for sign-ins at once', async () => {
    const { name, secret } = await protectedUser()
    const tickets = await Promise.all([1, 2, 3].map(async () => ticketOf(await signIn(name))))
    const code = codeOf(secret, 1)
    const answers = await Promise.all(tickets.map(ticket => answer(ticket, code)))
    expect(answers.map(({ status: code }) => code).sort()).toEqual([200, 403, 403])
  })

  test('MFA-03 takes neither the code before last nor a later one', async () => {
    const { name, secret } = await protectedUser()
    for (const ahead of [-2, 3]) expect((await signIn(name, { otp: codeOf(secret, ahead) })).status).toBe(403)
    expect((await signIn(name, { otp: codeOf(secret, 1) })).status).toBe(200)
  })

  test('MFA-03 ends its ticket with the fifth wrong code', async () => {
    const { name, secret } = await protectedUser()
    let ticket = ticketOf(await signIn(name))
    for (let count = 0; count < 5; count++) {
      const wrong = await answer(ticket, '000000')
      expect(wrong.status).toBe(403)
      ticket = ticketOf(wrong)
    }
    expect(ticket).toBe('')
    const fresh = ticketOf(await signIn(name))
    expect((await answer(fresh, codeOf(secret, 1))).status).toBe(200)
  })

  test('MFA-03 waits after too many wrong codes, also for the right one', async () => {
    const { name, secret } = await protectedUser()
    let ticket = ticketOf(await signIn(name))
    for (let count = 0; count < 9; count++) {
      ticket = ticketOf(await answer(ticket, '000000')) || ticketOf(await signIn(name))
    }
    const waiting = await answer(ticket, codeOf(secret, 1))
    expect(waiting.status).toBe(429)
    expect(ticketOf(waiting)).not.toBe('')
  })

  test('MFA-04 takes a recovery code once, of this user, until new ones are made', async () => {
    const [ann, bob] = [await protectedUser(), await protectedUser()]
    const [first = '', second = '', third = ''] = ann.codes
    const enter = async (name: string, otp: string) => (await signIn(name, { otp })).status
    const statuses = await Promise.all([enter(ann.name, first), enter(ann.name, first.toUpperCase())])
    expect(statuses.sort()).toEqual([200, 403])
    expect(await enter(bob.name, second)).toBe(403)
    const { text: token } = await signIn(ann.name, { otp: second })
    expect(await status(token)).toMatchObject({ recoveryCodes: 8 })
    const renewed = await send(wire, 'POST', '/api/account/recovery', token, { current_password: GOOD_PASSWORD })
    expect(json(renewed).codes).toHaveLength(10)
    expect(await enter(ann.name, third)).toBe(403)
    expect(await enter(ann.name, json(renewed).codes[0])).toBe(200)
  })

  test('leaves API tokens as they are, also as a password', async () => {
    const { token, name, secret } = await newcomerWithToken()
    expect(await works(token)).toBe(200)
    const narrowed = await login(wire, name, token)
    expect([narrowed.status, await works(narrowed.text)]).toEqual([200, 200])
    expect((await signIn(name)).status).toBe(403)
    expect(secret).not.toBe('')
  })
})

async function newcomerWithToken() {
  const { token, name, secret } = await protectedUser()
  const fields = { label: 'x', scopes: ['read'], current_password: GOOD_PASSWORD }
  return { name, secret, token: json(await send(wire, 'POST', '/api/tokens', token, fields)).token as string }
}

describe('MFA-08 a reset by an administrator', () => {
  const reset = (token: string | undefined, id: number | string, password: string | undefined) =>
    send(wire, 'DELETE', `/api/users/${id}/factors`, token, { current_password: password })

  test('removes the factor, ends the sessions, and is recorded', async () => {
    const { token, name, id } = await protectedUser()
    expect((await reset(admin.token, id, wire.adminPassword)).status).toBe(204)
    expect(await works(token)).toBe(401)
    expect(json(await call(wire, `/api/users/${id}/factors`, { token: admin.token }))).toMatchObject({ totp: null })
    expect((await signIn(name)).status).toBe(200)
    const { rows } = json(await call(wire, '/api/audit?action=factor.remove', { token: admin.token }))
    expect(rows[0]).toMatchObject({ username: 'admin', target: name, outcome: 'done' })
  })

  test('needs an administrator, the password, and a user with a factor', async () => {
    const { token, id } = await protectedUser()
    const plain = await newcomer(wire, admin)
    expect((await call(wire, `/api/users/${id}/factors`)).status).toBe(401)
    expect((await call(wire, `/api/users/${id}/factors`, { token })).status).toBe(403)
    expect((await call(wire, '/api/users/999999/factors', { token: admin.token })).status).toBe(404)
    expect((await reset(undefined, id, GOOD_PASSWORD)).status).toBe(401)
    expect((await reset(token, id, GOOD_PASSWORD)).status).toBe(403)
    await confirmedLongAgo(wire)
    expect((await reset(admin.token, id, undefined)).headers.get('x-error-code')).toBe('confirm_first')
    expect((await reset(admin.token, id, OTHER_PASSWORD)).status).toBe(400)
    expect((await reset(admin.token, plain.id, wire.adminPassword)).status).toBe(404)
    expect((await reset(admin.token, 'x', wire.adminPassword)).status).toBe(404)
    expect(await status(token)).toMatchObject({ recoveryCodes: 10 })
  })
})

test('the age of a password begins again with another password only', async () => {
  const { token, id } = await newcomer(wire, admin)
  const { password: first } = await status(token)
  expect(Math.abs(Date.now() - Date.parse(first))).toBeLessThan(60_000)
  const change = (field: string, data: object) =>
    send(wire, 'PUT', `/api/users/${id}`, token, {
      what: 'user',
      which: [field],
      data: { id, ...data },
      current_password: GOOD_PASSWORD,
    })
  expect((await change('hideDotfiles', { hideDotfiles: true })).status).toBe(200)
  expect((await status(token)).password).toBe(first)
  expect((await change('password', { password: 'another-Passw0rd-of-mine' })).status).toBe(200)
  expect(Date.parse((await status(token)).password)).toBeGreaterThan(Date.parse(first))
})

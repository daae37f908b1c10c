import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from './accounts.ts'
import { Authenticator } from './authenticator.ts'
import { call, json } from './client.ts'
import { openInstance } from './instance.ts'
import { confirmedLongAgo } from './late.ts'

const instance = await openInstance()
// Passkeys need the name of a host.
const wire = { ...instance, url: instance.url.replace('127.0.0.1', 'localhost') }
const { origin } = new URL(wire.url)
const admin = await manager(wire)

/** A code of an authenticator app. @param ahead steps of 30 seconds from now */
function codeOf(secret: string, ahead = 0): string {
  const seconds = Math.floor(Date.now() / 1000) + 30 * ahead
  return spawnSync('oathtool', ['--totp', '-b', secret, '--now', `@${seconds}`], { encoding: 'utf8' }).stdout.trim()
}

const post = (path: string, body: unknown, token?: string) => send(wire, 'POST', path, token, body)
const own = { current_password: GOOD_PASSWORD }
const confirm = (token: string | undefined, body: unknown) => post('/api/account/confirm', body, token)
/** Whether a call that needs a confirmation passes without `current_password`. */
const isConfirmed = async (token: string) => {
  const answer = await post('/api/tokens', { label: 'x', scopes: ['read'] }, token)
  return answer.status === 201 || answer.headers.get('x-error-code')
}
const UNCONFIRMED = 'confirm_first'
const signIn = (username: string, more: object = {}) =>
  post('/api/login', { username, password: GOOD_PASSWORD, ...more })
const factorsOf = async (token: string) =>
  json(await call(wire, '/api/sessions', { token })).find(({ current }: { current: boolean }) => current).factors

/** A user with an authenticator app. The first code is used up. */
async function withApp() {
  const { token, name } = await newcomer(wire, admin)
  const { secret } = json(await post('/api/account/totp', own, token))
  const { codes } = json(await post('/api/account/totp/confirm', { code: codeOf(secret) }, token))
  return { token, name, secret, codes: codes as string[] }
}

/** A user with a passkey. */
async function withKey() {
  const { token, name } = await newcomer(wire, admin)
  const { ticket, options } = json(await post('/api/account/passkeys/options', own, token))
  const key = new Authenticator(origin)
  const made = await post('/api/account/passkeys', { ticket, label: 'Key', response: key.create(options) }, token)
  if (made.status !== 201) throw new Error(`not made: ${made.status} ${made.text}`)
  return { token, name, key }
}

describe('MFA-13 a confirmation', () => {
  test('with the password counts for the calls of its session, and for no other', async () => {
    const { token, name } = await newcomer(wire, admin)
    const other = (await signIn(name)).text
    await confirmedLongAgo(wire)
    expect(await isConfirmed(token)).toBe(UNCONFIRMED)
    expect((await confirm(token, own)).status).toBe(204)
    expect([await isConfirmed(token), await isConfirmed(other)]).toEqual([true, UNCONFIRMED])
    const renewed = await call(wire, '/api/renew', { method: 'POST', token })
    expect(await isConfirmed(renewed.text)).toBe(true)
  })

  test('is a sign-in with a password, a second factor or a passkey, for ten minutes', async () => {
    const { name, token, key } = await withKey()
    const alone = json(await post('/api/login/passkey/options', undefined))
    const byKey = await post('/api/login/passkey', { ticket: alone.ticket, response: key.get(alone.options) })
    const first = (await signIn(name)).headers.get('x-login-ticket')
    const { ticket, options } = json(await post('/api/login/factor/passkey', { ticket: first }))
    const byBoth = await post('/api/login/factor', { ticket, passkey: key.get(options) })
    const all = [token, byKey.text, byBoth.text]
    expect(await Promise.all(all.map(isConfirmed))).toEqual([true, true, true])
    await confirmedLongAgo(wire)
    expect(await Promise.all(all.map(isConfirmed))).toEqual([UNCONFIRMED, UNCONFIRMED, UNCONFIRMED])
  })

  test('does not make a wrong password right', async () => {
    const { token } = await newcomer(wire, admin)
    await confirm(token, own)
    const wrong = { label: 'x', scopes: ['read'], current_password: OTHER_PASSWORD }
    expect((await post('/api/tokens', wrong, token)).status).toBe(400)
  })

  test('with a code of the app counts once, and a recovery code is none', async () => {
    const { token, name, secret, codes } = await withApp()
    await confirmedLongAgo(wire)
    expect((await confirm(token, { code: codes[0] })).status).toBe(403)
    expect(await isConfirmed(token)).toBe(UNCONFIRMED)
    const code = codeOf(secret, 1)
    expect((await confirm(token, { code })).status).toBe(204)
    expect(await isConfirmed(token)).toBe(true)
    const again = await signIn(name, { otp: codes[0] })
    expect(again.status).toBe(200)
    await confirmedLongAgo(wire)
    expect((await confirm(again.text, { code })).status).toBe(403)
    expect(await isConfirmed(again.text)).toBe(UNCONFIRMED)
  })

  test('with a passkey counts once, in the session that asked', async () => {
    const { token, name, key } = await withKey()
    await confirmedLongAgo(wire)
    const ask = async () => json(await post('/api/account/confirm/options', undefined, token))
    const { ticket, options } = await ask()
    expect(options.allowCredentials).toHaveLength(1)
    const passkey = key.get(options)
    const other = (await newcomer(wire, admin)).token
    expect((await confirm(other, { ticket, passkey })).status).toBe(403)
    expect((await confirm(token, { ticket, passkey })).status).toBe(403)
    const second = await ask()
    expect((await confirm(token, { ticket: second.ticket, passkey: key.get(second.options) })).status).toBe(204)
    expect(await isConfirmed(token)).toBe(true)
    expect((await signIn(name)).headers.get('x-error-code')).toBe('second_factor_required')
  })

  test('is one proof, neither none nor two', async () => {
    const { token } = await newcomer(wire, admin)
    await confirmedLongAgo(wire)
    for (const body of [{}, { ...own, code: '000000' }, { ticket: 'x' }, { code: 1 }, null])
      expect([body, (await confirm(token, body)).status]).toEqual([body, 400])
    expect((await confirm(token, { current_password: OTHER_PASSWORD })).status).toBe(403)
    expect((await confirm(token, { code: '000000' })).status).toBe(403)
    expect(await isConfirmed(token)).toBe(UNCONFIRMED)
  })

  test('is refused to API tokens and to what they start, to no one, and without a passkey', async () => {
    const { token, name } = await newcomer(wire, admin)
    const api = json(await post('/api/tokens', { label: 'x', scopes: ['write'], ...own }, token)).token
    const started = (await post('/api/login', { username: name, password: api })).text
    await confirmedLongAgo(wire)
    for (const credential of [api, started]) {
      const answer = await confirm(credential, own)
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([403, 'token_scope'])
      expect((await post('/api/account/confirm/options', undefined, credential)).status).toBe(403)
    }
    expect((await confirm(undefined, own)).status).toBe(401)
    expect((await post('/api/account/confirm/options', undefined)).status).toBe(401)
    expect((await post('/api/account/confirm/options', undefined, token)).status).toBe(404)
    const byAddress = { ...wire, url: wire.url.replace('localhost', '127.0.0.1') }
    expect((await send(byAddress, 'POST', '/api/account/confirm/options', token)).status).toBe(400)
    const headers = { Cookie: `auth=${token}`, 'Sec-Fetch-Site': 'cross-site' }
    const byCookie = { method: 'POST', headers, body: JSON.stringify(own) }
    expect((await call(wire, '/api/account/confirm', byCookie)).status).toBe(401)
    expect(await isConfirmed(token)).toBe(UNCONFIRMED)
  })

  test('has wrong attempts that are counted like those of a sign-in', async () => {
    const { token } = await withApp()
    const statuses: number[] = []
    for (let count = 0; count < 12; count += 1) statuses.push((await confirm(token, { code: '000000' })).status)
    expect(statuses.at(0)).toBe(403)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('the list of sessions says what was proven', () => {
  test('by a password, a code, a recovery code, a remembered browser and an API token', async () => {
    const { name, secret, codes, token } = await withApp()
    expect(await factorsOf(token)).toEqual(['pwd'])
    expect(await factorsOf((await signIn(name, { otp: codeOf(secret, 1) })).text)).toEqual(['pwd', 'totp'])
    expect(await factorsOf((await signIn(name, { otp: codes[0] })).text)).toEqual(['pwd', 'recovery'])
    const api = json(await post('/api/tokens', { label: 'x', scopes: ['write'], ...own }, token)).token
    await post('/api/login', { username: name, password: api })
    const all: { factors: string[] }[] = json(await call(wire, '/api/sessions', { token }))
    expect(all.map(({ factors }) => factors.join(' '))).toContain('token')
  })

  test('by a passkey, alone and as the second step', async () => {
    const { name, key } = await withKey()
    const alone = json(await post('/api/login/passkey/options', undefined))
    const entered = await post('/api/login/passkey', { ticket: alone.ticket, response: key.get(alone.options) })
    expect(await factorsOf(entered.text)).toEqual(['passkey'])
    const first = (await signIn(name)).headers.get('x-login-ticket')
    const { ticket, options } = json(await post('/api/login/factor/passkey', { ticket: first }))
    const both = await post('/api/login/factor', { ticket, passkey: key.get(options) })
    expect(await factorsOf(both.text)).toEqual(['pwd', 'passkey'])
  })
})

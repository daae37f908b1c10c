import { spawnSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { FactorPolicy } from '../../shared/api/access-settings.ts'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from './accounts.ts'
import { Authenticator } from './authenticator.ts'
import { call, json } from './client.ts'
import { uniqueName } from './harness.ts'
import { openInstance } from './instance.ts'

const instance = await openInstance()
// Passkeys need the name of a host.
const wire = { ...instance, url: instance.url.replace('127.0.0.1', 'localhost') }
const admin = await manager(wire)

const NO_DUTY: FactorPolicy = { require: 'none', groups: [], from: null, graceDays: 0, trustProviders: true }
const post = (path: string, body: unknown, token?: string) => send(wire, 'POST', path, token, body)
const put = (secondFactor: object, token: string | undefined = admin.token) =>
  send(wire, 'PUT', '/api/settings/access', token, { secondFactor })
const signIn = (username: string, fields: object = {}) =>
  post('/api/login', { username, password: GOOD_PASSWORD, ...fields })
const ticketOf = ({ headers }: { headers: Headers }) => headers.get('x-login-ticket') ?? ''
const codeOf = ({ headers }: { headers: Headers }) => headers.get('x-error-code')
const works = async (token: string) => (await call(wire, '/api/resources/', { token })).status
const totpOf = (secret: string) => spawnSync('oathtool', ['--totp', '-b', secret], { encoding: 'utf8' }).stdout.trim()

/** Sets the duty for the time of a test. */
async function demand(policy: Partial<FactorPolicy>): Promise<void> {
  onTestFinished(async () => void (await put(NO_DUTY)))
  expect((await put({ ...NO_DUTY, ...policy })).status).toBe(204)
}

/** A group with a member. */
async function groupOf(userId: number): Promise<string> {
  const { id } = json(await post('/api/groups', { name: uniqueName('g'), perm: {} }, admin.token))
  await send(wire, 'PUT', `/api/groups/${id}/members/${userId}`, admin.token)
  return id
}

describe('the duty of a second factor', () => {
  test('MFA-01 the right password gives a ticket, which opens nothing but the enrolment', async () => {
    const { name, token } = await newcomer(wire, admin)
    await demand({ require: 'all' })
    const refused = await signIn(name)
    expect([refused.status, codeOf(refused), refused.headers.get('set-cookie')]).toEqual([
      403,
      'second_factor_setup',
      null,
    ])
    const ticket = ticketOf(refused)
    for (const headers of [{ Authorization: `Bearer ${ticket}` }, { 'X-Auth': ticket }, { Cookie: `auth=${ticket}` }]) {
      expect((await call(wire, '/api/resources/', { headers })).status).toBe(401)
    }
    expect((await post('/api/login/factor', { ticket, code: '000000' })).status).toBe(403)
    expect((await post('/api/login/handover', { code: ticket })).status).toBe(403)
    const wrong = await signIn(name, { password: OTHER_PASSWORD })
    expect([wrong.status, codeOf(wrong), ticketOf(wrong)]).toEqual([403, 'wrong_credentials', ''])
    // A session from before the duty continues.
    expect(await works(token)).toBe(200)
  })

  test('ends with an authenticator app, whose first code completes the sign-in', async () => {
    const { name } = await newcomer(wire, admin)
    await demand({ require: 'all' })
    const first = ticketOf(await signIn(name))
    const begun = json(await post('/api/login/enrol/totp', { ticket: first }))
    expect((await post('/api/login/enrol/totp', { ticket: first })).status).toBe(403)
    const wrong = await post('/api/login/enrol/totp/confirm', { ticket: begun.ticket, code: '000000' })
    expect([wrong.status, wrong.text]).toEqual([400, '400 Bad Request (code: is wrong)\n'])
    const code = totpOf(begun.secret)
    const done = await post('/api/login/enrol/totp/confirm', { ticket: ticketOf(wrong), code })
    expect(json(done).codes).toHaveLength(10)
    expect(done.headers.get('set-cookie')).toContain('auth=')
    expect(await works(json(done).token)).toBe(200)
    expect(codeOf(await signIn(name))).toBe('second_factor_required')
    expect((await post('/api/login/enrol/totp/confirm', { ticket: begun.ticket, code })).status).toBe(403)
    const { rows } = json(await call(wire, '/api/audit?action=factor.add', { token: admin.token }))
    expect(rows).toContainEqual(expect.objectContaining({ username: name, target: 'totp', outcome: 'done' }))
    const own = { current_password: GOOD_PASSWORD }
    const kept = await send(wire, 'DELETE', '/api/account/totp', json(done).token, own)
    expect([kept.status, codeOf(kept)]).toEqual([403, 'second_factor_setup'])
    expect(json(await call(wire, '/api/account/factors', { token: json(done).token }))).toMatchObject({
      recoveryCodes: 10,
      due: null,
    })
  })

  test('ends with a passkey, which completes the sign-in', async () => {
    const { name } = await newcomer(wire, admin)
    await demand({ require: 'all' })
    const key = new Authenticator(new URL(wire.url).origin)
    const byAddress = { ...wire, url: wire.url.replace('localhost', '127.0.0.1') }
    const body = { ticket: ticketOf(await signIn(name)) }
    const refused = await send(byAddress, 'POST', '/api/login/enrol/passkey/options', undefined, body)
    expect(refused.status).toBe(400)
    const begun = json(await post('/api/login/enrol/passkey/options', { ticket: ticketOf(refused) }))
    const foreign = key.create(begun.options, { origin: 'https://evil.example' })
    const wrong = await post('/api/login/enrol/passkey', { ticket: begun.ticket, label: 'x', response: foreign })
    expect(wrong.status).toBe(400)
    const again = json(await post('/api/login/enrol/passkey/options', { ticket: ticketOf(wrong) }))
    const response = key.create(again.options)
    const done = await post('/api/login/enrol/passkey', { ticket: again.ticket, label: 'Key', response })
    expect([done.status, await works(json(done).token)]).toEqual([200, 200])
    const used = await post('/api/login/enrol/passkey', { ticket: again.ticket, label: 'Key', response })
    expect(used.status).toBe(403)
    for (const path of ['totp', 'totp/confirm', 'passkey/options', 'passkey']) {
      expect((await post(`/api/login/enrol/${path}`, {})).status).toBe(400)
    }
    expect((await post('/api/login/enrol/passkey/options', { ticket: 'x' })).status).toBe(403)
  })

  test('begins with the grace, and not before its date', async () => {
    const { name, token } = await newcomer(wire, admin)
    await demand({ require: 'all', graceDays: 3 })
    const entered = await signIn(name)
    const due = Date.parse(entered.headers.get('x-factor-due') ?? '')
    expect(entered.status).toBe(200)
    expect(Math.round((due - Date.now()) / 3_600_000)).toBe(72)
    expect(json(await call(wire, '/api/account/factors', { token })).due).toBe(new Date(due).toISOString())
    const from = new Date(Date.now() + 3_600_000).toISOString()
    await demand({ require: 'all', from })
    expect((await signIn(name)).headers.get('x-factor-due')).toBe(from)
  })

  test('MFA-08 asks for another factor at the next sign-in after a reset by an administrator', async () => {
    const { name, id, token } = await newcomer(wire, admin)
    const { secret } = json(await post('/api/account/totp', { current_password: GOOD_PASSWORD }, token))
    expect((await post('/api/account/totp/confirm', { code: totpOf(secret) }, token)).status).toBe(200)
    await demand({ require: 'all' })
    expect(codeOf(await signIn(name))).toBe('second_factor_required')
    const reset = { current_password: wire.adminPassword }
    expect((await send(wire, 'DELETE', `/api/users/${id}/factors`, admin.token, reset)).status).toBe(204)
    const asked = await signIn(name)
    expect([asked.status, codeOf(asked)]).toEqual([403, 'second_factor_setup'])
    expect((await post('/api/login/enrol/totp', { ticket: ticketOf(asked) })).status).toBe(200)
  })

  test('MFA-11 follows the groups of a user', async () => {
    const { name, id } = await newcomer(wire, admin)
    const group = await groupOf(id)
    await demand({ require: 'groups', groups: [group] })
    expect(codeOf(await signIn(name))).toBe('second_factor_setup')
    await send(wire, 'DELETE', `/api/groups/${group}/members/${id}`, admin.token)
    expect((await signIn(name)).status).toBe(200)
  })

  test('MFA-11 of a group begins with a grace when a user comes into the group, and ends when they leave it', async () => {
    const { name, id } = await newcomer(wire, admin)
    const group = await groupOf((await newcomer(wire, admin)).id)
    await demand({ require: 'groups', groups: [group], graceDays: 3 })
    const due = async () => (await signIn(name)).headers.get('x-factor-due')
    expect(await due()).toBeNull()
    const joined = Date.now()
    const member = `/api/groups/${group}/members/${id}`
    expect((await send(wire, 'PUT', member, admin.token)).status).toBeLessThan(300)
    expect(Date.parse((await due()) ?? '')).toBeGreaterThanOrEqual(joined + 3 * 24 * 3_600_000)
    await send(wire, 'DELETE', member, admin.token)
    expect(await due()).toBeNull()
  })

  test('MFA-11 lets the only administrator set up a factor, and spares others', async () => {
    const { name } = await newcomer(wire, admin)
    await demand({ require: 'admins' })
    expect((await signIn(name)).status).toBe(200)
    const refused = await post('/api/login', { username: wire.adminName ?? 'admin', password: wire.adminPassword })
    expect(codeOf(refused)).toBe('second_factor_setup')
    expect((await post('/api/login/enrol/totp', { ticket: ticketOf(refused) })).status).toBe(200)
  })

  test('does not concern API tokens', async () => {
    const { name, token } = await newcomer(wire, admin)
    const fields = { label: 'x', scopes: ['read'], current_password: GOOD_PASSWORD }
    const api = json(await post('/api/tokens', fields, token)).token
    await demand({ require: 'all' })
    expect(await works(api)).toBe(200)
    expect((await signIn(name, { password: api })).status).toBe(200)
  })

  test('is read and changed by administrators', async () => {
    const { token } = await newcomer(wire, admin)
    expect((await call(wire, '/api/settings/access', { token })).status).toBe(403)
    expect((await call(wire, '/api/settings/access')).status).toBe(401)
    expect((await put(NO_DUTY, token)).status).toBe(403)
    expect((await send(wire, 'PUT', '/api/settings/access', undefined, {})).status).toBe(401)
    for (const wrong of [{ require: 'some' }, { graceDays: 91 }, { from: 'soon' }]) {
      expect((await put({ ...NO_DUTY, ...wrong })).status).toBe(400)
    }
    await demand({ require: 'admins', graceDays: 7, trustProviders: false })
    expect(json(await call(wire, '/api/settings/access', { token: admin.token })).secondFactor).toMatchObject({
      require: 'admins',
      graceDays: 7,
      trustProviders: false,
    })
  })
})

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from './accounts.ts'
import { type Answer, call, json } from './client.ts'
import { openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)

const post = (path: string, body: unknown, token?: string) => send(wire, 'POST', path, token, body)
const codeOf = (secret: string, ahead = 0) => {
  const seconds = Math.floor(Date.now() / 1000) + 30 * ahead
  return spawnSync('oathtool', ['--totp', '-b', secret, '--now', `@${seconds}`], { encoding: 'utf8' }).stdout.trim()
}
const signIn = (username: string, cookie = '', password = GOOD_PASSWORD) =>
  call(wire, '/api/login', {
    method: 'POST',
    headers: cookie === '' ? {} : { Cookie: cookie },
    body: JSON.stringify({ username, password }),
  })
const cookieOf = ({ headers }: Answer) => /flg_device=[^;]+/.exec(headers.get('set-cookie') ?? '')?.[0] ?? ''
const devicesOf = async (token: string) => json(await call(wire, '/api/account/factors', { token })).devices

/** A user with an app and recovery codes; all earlier codes are used up. */
async function protectedUser() {
  const { token, name } = await newcomer(wire, admin)
  const { secret } = json(await post('/api/account/totp', { current_password: GOOD_PASSWORD }, token))
  const { codes } = json(await post('/api/account/totp/confirm', { code: codeOf(secret) }, token))
  return { token, name, secret, codes: codes as string[] }
}

/** Signs in with a code, and has the browser remembered. */
async function rememberedUser() {
  const user = await protectedUser()
  const ticket = (await signIn(user.name)).headers.get('x-login-ticket') ?? ''
  const entered = await post('/api/login/factor', { ticket, code: codeOf(user.secret, 1), remember: true })
  expect(entered.status).toBe(200)
  return { ...user, session: entered.text, cookie: cookieOf(entered), header: entered.headers.get('set-cookie') }
}

test('a remembered browser needs the password only, and its cookie changes with each use', async () => {
  const { name, cookie, header, session } = await rememberedUser()
  expect(header).toMatch(/flg_device=[^;]+; Path=\S*\/api\/login; Max-Age=\d+; HttpOnly; SameSite=Strict/)
  const again = await signIn(name, cookie)
  expect(again.status).toBe(200)
  expect(cookieOf(again)).not.toBe(cookie)
  expect((await signIn(name, cookieOf(again), OTHER_PASSWORD)).headers.get('x-error-code')).toBe('wrong_credentials')
  expect((await signIn(name)).headers.get('x-error-code')).toBe('second_factor_required')
  expect(await devicesOf(session)).toMatchObject([{ used: expect.any(String), expires: expect.any(String) }])
})

test('MFA-06 a remembered browser does not help another account', async () => {
  const [ann, bob] = [await rememberedUser(), await protectedUser()]
  expect((await signIn(bob.name, ann.cookie)).status).toBe(403)
  expect((await signIn(ann.name, ann.cookie)).status).toBe(200)
})

test('MFA-06 a copy of the cookie that is used before its owner ends both', async () => {
  const { name, cookie } = await rememberedUser()
  const thief = await signIn(name, cookie)
  expect(thief.status).toBe(200)
  expect((await signIn(name, cookie)).status).toBe(403)
  expect((await signIn(name, cookieOf(thief))).status).toBe(403)
})

test('MFA-06 a new password, and a change of factors, end remembered browsers', async () => {
  const ann = await rememberedUser()
  const { user } = JSON.parse(Buffer.from(ann.session.split('.')[1] ?? '', 'base64url').toString())
  const change = {
    what: 'user',
    which: ['password'],
    data: { id: user.id, password: OTHER_PASSWORD },
    current_password: GOOD_PASSWORD,
  }
  expect((await send(wire, 'PUT', `/api/users/${user.id}`, ann.session, change)).status).toBe(200)
  expect((await signIn(ann.name, ann.cookie, OTHER_PASSWORD)).status).toBe(403)
  const bob = await rememberedUser()
  const own = { current_password: GOOD_PASSWORD }
  expect((await send(wire, 'DELETE', '/api/account/totp', bob.session, own)).status).toBe(204)
  expect(await devicesOf(bob.session)).toEqual([])
})

test('a browser is not remembered with a recovery code, nor unless the user asks for it', async () => {
  const { name, codes, secret } = await protectedUser()
  const ticket = (await signIn(name)).headers.get('x-login-ticket') ?? ''
  expect(cookieOf(await post('/api/login/factor', { ticket, code: codes[0], remember: true }))).toBe('')
  const other = (await signIn(name)).headers.get('x-login-ticket') ?? ''
  expect(cookieOf(await post('/api/login/factor', { ticket: other, code: codeOf(secret, 1) }))).toBe('')
})

test('a remembered browser is forgotten by its user only', async () => {
  const [ann, bob] = [await rememberedUser(), await protectedUser()]
  const [device] = await devicesOf(ann.session)
  const path = `/api/account/devices/${device.id}`
  const fields = { label: 'x', scopes: ['write'], current_password: GOOD_PASSWORD }
  const api = json(await post('/api/tokens', fields, ann.session)).token
  expect((await send(wire, 'DELETE', path, undefined)).status).toBe(401)
  expect((await send(wire, 'DELETE', path, api)).status).toBe(403)
  expect((await send(wire, 'DELETE', path, bob.token)).status).toBe(404)
  expect((await send(wire, 'DELETE', path, ann.session)).status).toBe(204)
  expect((await send(wire, 'DELETE', path, ann.session)).status).toBe(404)
  expect((await signIn(ann.name, ann.cookie)).status).toBe(403)
})

test('an account that no provider leads to lists none, and has none to disconnect', async () => {
  const { token } = await newcomer(wire, admin)
  const listed = await call(wire, '/api/account/identities', { token })
  expect([listed.status, json(listed)]).toEqual([200, []])
  const body = JSON.stringify({ current_password: GOOD_PASSWORD })
  const gone = await call(wire, '/api/account/identities/home', { method: 'DELETE', token, body })
  expect(gone.status).toBe(404)
})

import { afterAll, expect, test } from 'vitest'
import { openSink, secretIn, withMail } from '../mail/sink.ts'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from './accounts.ts'
import { json, login } from './client.ts'
import { openInstance, serve } from './instance.ts'

const without = await openInstance()
const sink = await openSink()
afterAll(() => sink.close())
const wire = await serve({ args: withMail(sink) })
const admin = await manager(wire)
const user = await newcomer(wire, admin)
const ADDRESS = 'ann@example.org'
const body = { address: ADDRESS, current_password: GOOD_PASSWORD }

const ADMINS = [
  ['GET', '/api/mail', undefined],
  ['POST', '/api/mail/test', body],
  ['POST', `/api/users/${user.id}/invitation`, body],
] as const
const USERS = [
  ['GET', '/api/account/mail', undefined],
  ['PUT', '/api/account/mail', body],
] as const

test.each([...ADMINS, ...USERS])('%s %s needs a session', async (method, path, content) => {
  expect((await send(wire, method, path, undefined, content)).status).toBe(401)
})

test.each(ADMINS)('%s %s is for administrators', async (method, path, content) => {
  expect((await send(wire, method, path, user.token, content)).status).toBe(403)
})

test('without a mail server all calls but the state are 404', async () => {
  const other = await manager(without)
  const statusOf = async (method: string, path: string, content?: object) =>
    (await send(without, method, path, other.token, content)).status
  expect(json(await send(without, 'GET', '/api/mail', other.token))).toMatchObject({ on: false })
  expect(await statusOf('POST', '/api/mail/test', body)).toBe(404)
  expect(await statusOf('GET', '/api/account/mail')).toBe(404)
  expect(await statusOf('PUT', '/api/account/mail', body)).toBe(404)
  expect(await statusOf('POST', '/api/users/1/invitation', body)).toBe(404)
  expect(await statusOf('POST', '/api/password-reset', { name: 'admin' })).toBe(404)
  expect(await statusOf('POST', '/api/mail-links/look', { link: 'x' })).toBe(404)
  expect(await statusOf('POST', '/api/mail-links/use', { link: 'x' })).toBe(404)
})

test('MFA-12 an administrator makes a link that sets a password once, also without a mail server', async () => {
  const other = await manager(without)
  const person = await newcomer(without, other)
  const make = (id: number, token: string | undefined, password: string = without.adminPassword) =>
    send(without, 'POST', `/api/users/${id}/one-time-link`, token, { current_password: password })
  const made = await make(person.id, other.token)
  expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
  const { url, expires } = json(made)
  const [, link = ''] = /\/login\?link#([\w-]{43})$/.exec(url) ?? []
  expect(Math.round((Date.parse(expires) - Date.now()) / 60_000)).toBe(60)
  const use = () => send(without, 'POST', '/api/mail-links/use', undefined, { link, password: OTHER_PASSWORD })
  expect([(await use()).status, (await use()).status]).toEqual([204, 404])
  const entered = await login(without, person.name, OTHER_PASSWORD)
  expect(entered.status).toBe(200)
  expect((await make(person.id, other.token, 'a-wrong-password')).status).toBe(400)
  expect((await make(person.id, undefined)).status).toBe(401)
  expect((await make(person.id, entered.text)).status).toBe(403)
  expect((await make(999_999, other.token)).status).toBe(404)
  const locked = await newcomer(without, other, { lockPassword: true })
  expect((await make(locked.id, other.token)).status).toBe(403)
})

test('an address is entered and confirmed by its link; a body that does not fit is refused', async () => {
  expect((await send(wire, 'PUT', '/api/account/mail', user.token, { ...body, address: 'no address' })).status).toBe(
    400,
  )
  expect((await send(wire, 'PUT', '/api/account/mail', user.token, { address: 1 })).status).toBe(400)
  expect((await send(wire, 'PUT', '/api/account/mail', user.token, { ...body, notices: false })).status).toBe(204)
  await expect.poll(() => sink.to(ADDRESS)).toHaveLength(1)
  const link = secretIn(sink.to(ADDRESS)[0] ?? expect.fail())
  const looked = await send(wire, 'POST', '/api/mail-links/look', undefined, { link })
  expect([looked.status, json(looked).purpose]).toEqual([200, 'verify'])
  for (const call of ['look', 'use']) {
    expect((await send(wire, 'POST', `/api/mail-links/${call}`, undefined, {})).status).toBe(400)
    expect((await send(wire, 'POST', `/api/mail-links/${call}`, undefined, { link: 'x' })).status).toBe(404)
  }
  expect((await send(wire, 'POST', '/api/mail-links/use', undefined, { link })).status).toBe(204)
  const state = await send(wire, 'GET', '/api/account/mail', user.token)
  expect([state.status, json(state)]).toEqual([200, { address: ADDRESS, pending: '', notices: false, off: [] }])
  const removed = { address: '', current_password: GOOD_PASSWORD }
  expect((await send(wire, 'PUT', '/api/account/mail', user.token, removed)).status).toBe(204)
  expect(json(await send(wire, 'GET', '/api/account/mail', user.token))).toMatchObject({ address: '' })
})

test('administrators test the mail server, and invite a user', async () => {
  const tried = await send(wire, 'POST', '/api/mail/test', admin.token, body)
  expect([tried.status, json(tried)]).toEqual([200, { step: '', answer: expect.any(String), ms: expect.any(Number) }])
  expect((await send(wire, 'POST', '/api/mail/test', admin.token, { address: 'a b' })).status).toBe(400)
  const path = `/api/users/${user.id}/invitation`
  expect((await send(wire, 'POST', path, admin.token, { address: 'ben@example.org' })).status).toBe(202)
  expect((await send(wire, 'POST', path, admin.token, { address: '' })).status).toBe(400)
  expect((await send(wire, 'POST', '/api/users/999999/invitation', admin.token, body)).status).toBe(404)
  await expect.poll(() => sink.to('ben@example.org')).toHaveLength(1)
  const link = secretIn(sink.to('ben@example.org')[0] ?? expect.fail())
  for (const password of ['', 'short', undefined]) {
    expect((await send(wire, 'POST', '/api/mail-links/use', undefined, { link, password })).status).toBe(400)
  }
  expect((await send(wire, 'POST', '/api/mail-links/use', undefined, { link, password: OTHER_PASSWORD })).status).toBe(
    204,
  )
  expect(json(await send(wire, 'GET', '/api/mail', admin.token))).toMatchObject({ on: true, waiting: 0, failed: [] })
})

test('a forgotten password needs a name', async () => {
  expect((await send(wire, 'POST', '/api/password-reset', undefined, { name: '' })).status).toBe(400)
  expect((await send(wire, 'POST', '/api/password-reset', undefined, { name: 'x' })).status).toBe(202)
})

import { expect, test } from 'vitest'
import { manager, newcomer, send } from './accounts.ts'
import { call, json, signIn } from './client.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const token = await signIn(wire)
const user = await newcomer(wire, await manager(wire), {})
/** Its name has no address, so that nothing is sent anywhere. */
const GOOD = { name: 'receiver', url: 'https://receiver.invalid/hook' }

const add = async (fields: object = {}): Promise<string> =>
  json(await send(wire, 'POST', '/api/webhooks', token, { ...GOOD, ...fields })).id

const CALLS = [
  ['GET', '/api/webhooks'],
  ['POST', '/api/webhooks'],
  ['PUT', '/api/webhooks/none'],
  ['DELETE', '/api/webhooks/none'],
  ['POST', '/api/webhooks/none/secret'],
  ['POST', '/api/webhooks/none/test'],
  ['GET', '/api/webhooks/none/deliveries'],
  ['POST', '/api/webhooks/none/deliveries/none/again'],
] as const

test.each(CALLS)('%s %s is for administrators, and only for webhooks that exist', async (method, path) => {
  const body = method === 'GET' ? undefined : GOOD
  const statusFor = async (caller: string | undefined) => (await send(wire, method, path, caller, body)).status
  expect(await statusFor(undefined)).toBe(401)
  expect(await statusFor(user.token)).toBe(403)
  if (path.includes('none')) expect(await statusFor(token)).toBe(404)
})

test('a webhook is added, listed without its secret, changed and removed', async () => {
  const made = await send(wire, 'POST', '/api/webhooks', token, GOOD)
  expect(made.status).toBe(201)
  const { id, secret } = json(made)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const list = await call(wire, '/api/webhooks', { token })
  expect(list.status).toBe(200)
  expect(list.text).not.toContain(secret)
  expect(json(list).webhooks.find((one: { id: string }) => one.id === id)).toMatchObject({ ...GOOD, enabled: true })

  const change = { ...GOOD, name: 'renamed', types: ['item.deleted'], folder: '/a', pattern: '*.pdf', enabled: false }
  expect((await send(wire, 'PUT', `/api/webhooks/${id}`, token, change)).status).toBe(200)
  const after = json(await call(wire, '/api/webhooks', { token })).webhooks
  expect(after.find((one: { id: string }) => one.id === id)).toMatchObject(change)
  expect((await send(wire, 'DELETE', `/api/webhooks/${id}`, token)).status).toBe(204)
})

test.each([
  { url: 'http://127.0.0.1/' },
  { url: '' },
  { name: ' ' },
  { name: 'x'.repeat(65) },
  { types: ['unknown'] },
  { folder: 'relative' },
  { pattern: 'x'.repeat(256) },
  { enabled: 'yes' },
])('%o is refused, new and as a change', async fields => {
  const id = await add()
  for (const [method, path] of [
    ['POST', '/api/webhooks'],
    ['PUT', `/api/webhooks/${id}`],
  ] as const) {
    expect((await send(wire, method, path, token, { ...GOOD, ...fields })).status).toBe(400)
  }
  await send(wire, 'DELETE', `/api/webhooks/${id}`, token)
})

test('a new secret is another one, and a test says why a receiver cannot be reached', async () => {
  const id = await add()
  const renewed = await send(wire, 'POST', `/api/webhooks/${id}/secret`, token)
  expect([renewed.status, json(renewed).secret.slice(0, 6)]).toEqual([200, 'whsec_'])
  const tried = await send(wire, 'POST', `/api/webhooks/${id}/test`, token)
  expect(tried.status).toBe(200)
  expect(json(tried)).toMatchObject({ status: null, reason: expect.stringMatching(/^E/) })
  await send(wire, 'DELETE', `/api/webhooks/${id}`, token)
})

test('events that could not be sent are listed and sent again', async () => {
  const { path } = await corner(wire)
  const id = await add({ folder: path })
  expect((await send(wire, 'POST', `/api/resources${path}/new/`, token)).status).toBe(200)
  const listed = () => call(wire, `/api/webhooks/${id}/deliveries`, { token })
  await expect.poll(async () => json(await listed()).deliveries.length).toBe(1)
  const [delivery] = json(await listed()).deliveries
  expect(JSON.parse(delivery.body)).toMatchObject({ type: 'folder.created', data: { path: `${path}/new` } })
  const again = await send(wire, 'POST', `/api/webhooks/${id}/deliveries/${delivery.id}/again`, token)
  expect(again.status).toBe(202)
  expect((await send(wire, 'POST', `/api/webhooks/${id}/deliveries/none/again`, token)).status).toBe(404)
  await send(wire, 'DELETE', `/api/webhooks/${id}`, token)
})

import { expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, send } from './accounts.ts'
import { json, signIn } from './client.ts'
import { openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)

const ask = (method: string, path: string, body?: unknown, token: string | undefined = admin.token) =>
  send(wire, method, path, token, body)
const MOUNT = { name: 'Team', root: 'media', folder: '/' }
const ACCESS = '/api/mounts/none/access/user/1'
const RIGHTS = { rights: ['download'] }

test('ROOT-08 a server without further roots has none, and no mount is made', async () => {
  const [roots, mounts] = [await ask('GET', '/api/roots'), await ask('GET', '/api/mounts')]
  expect([roots.status, json(roots), mounts.status, json(mounts)]).toEqual([200, [], 200, []])
  const own = await ask('GET', '/api/mounts/own')
  expect([own.status, json(own)]).toEqual([200, []])
  expect((await ask('POST', '/api/mounts', MOUNT)).status).toBe(400)
})

test('a mount that is not known cannot be read, changed, given, taken or removed', async () => {
  for (const [method, path, body] of [
    ['GET', '/api/mounts/none', undefined],
    ['PUT', '/api/mounts/none', { name: 'Team', readOnly: false }],
    ['DELETE', '/api/mounts/none', undefined],
    ['PUT', ACCESS, RIGHTS],
    ['DELETE', ACCESS, undefined],
  ] as const)
    expect([method, path, (await ask(method, path, body)).status]).toEqual([method, path, 404])
  expect((await ask('PUT', '/api/mounts/none', {})).status).toBe(400)
  expect((await ask('PATCH', '/api/roots/none', { label: 'None' })).status).toBe(404)
  expect((await ask('PATCH', '/api/roots/none', { quotaBytes: -1 })).status).toBe(400)
  expect((await ask('PUT', ACCESS, { rights: ['none'] })).status).toBe(400)
})

test('roots and mounts are for administrators', async () => {
  const user = await newcomer(wire, admin)
  const token = await signIn(wire, user.name, GOOD_PASSWORD)
  for (const [method, path] of [
    ['GET', '/api/roots'],
    ['PATCH', '/api/roots/none'],
    ['GET', '/api/mounts'],
    ['POST', '/api/mounts'],
    ['GET', '/api/mounts/none'],
    ['PUT', '/api/mounts/none'],
    ['DELETE', '/api/mounts/none'],
    ['PUT', ACCESS],
    ['DELETE', ACCESS],
  ] as const) {
    expect([method, path, (await ask(method, path, undefined, token)).status]).toEqual([method, path, 403])
    expect([method, path, (await send(wire, method, path, undefined)).status]).toEqual([method, path, 401])
  }
})

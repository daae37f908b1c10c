import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { AuthSettings } from '../../server/features/settings/auth-settings.ts'
import { writeAuthSettings } from '../../server/features/settings/settings.store.ts'
import { GOOD_PASSWORD, send } from '../api/accounts.ts'
import { call, json, login, person } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { rawRequest } from '../api/raw.ts'
import { EVERYTHING, PASSWORD, populate } from './people.ts'

/** A server with another authentication method; the command line for that comes later than these tests. */
const servedBy = (settings: object, args: string[] = []): Promise<OwnServer> =>
  serve({
    args,
    async prepare({ database, home }) {
      await populate(database, { people: [{ name: 'alice', may: EVERYTHING, scope: '.' }] })
      const hook = join(home, 'hook')
      await writeFile(hook, HOOK)
      await chmod(hook, 0o700)
      const { db } = await openDb(database)
      await writeAuthSettings(db, AuthSettings.parse({ command: hook, ...settings }))
      await db.destroy()
    },
  })

const HOOK = `#!/bin/sh
if [ "$PASSWORD" = "${GOOD_PASSWORD}" ]; then echo hook.action=auth; else echo hook.action=block; fi
`
const PROXY = { method: 'proxy', header: 'X-Remote-User' }
const proxied = await servedBy(PROXY, ['--trustedProxies', '127.0.0.1'])
const plain = await servedBy({})

/** Bodies without a name and a password. */
const NO_LOGINS = [
  undefined,
  '{"username":"","password":"","recaptcha":""}',
  '{}',
  '[]',
  'null',
  '"alice"',
  '{"username":1}',
  '{"username":',
  '['.repeat(70),
]

async function configOf(server: OwnServer) {
  const [, config = ''] = /id="app-config">([^<]*)</.exec((await call(server, '/login')).text) ?? []
  return JSON.parse(config)
}
const signedInAs = async (server: OwnServer, token: string) => {
  const { user } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return json(await call(server, `/api/users/${user.id}`, { token })).username
}

test('the sign-in page names the method', async () => {
  const recaptcha = { host: 'https://captcha.example/', key: 'site-key', secret: 'hush' }
  const config = await configOf(await servedBy({ recaptcha, logoutPage: '/bye' }))
  expect(config).toMatchObject({ AuthMethod: 'json', NoAuth: false, LoginPage: true, LogoutPage: '/bye' })
  expect(config).toMatchObject({ ReCaptcha: true, ReCaptchaHost: 'https://captcha.example', ReCaptchaKey: 'site-key' })
  expect(JSON.stringify(config)).not.toContain('hush')
})

test('without an answer to the captcha the right password is refused', async () => {
  const recaptcha = { host: 'http://127.0.0.1:1', key: 'site-key', secret: 'hush' }
  const server = await servedBy({ recaptcha })
  expect((await login(server, 'alice', PASSWORD)).status).toBe(403)
})

test('with noauth every client is the first user', async () => {
  const server = await servedBy({ method: 'noauth' })
  expect(await configOf(server)).toMatchObject({ AuthMethod: 'noauth', NoAuth: true, LoginPage: false })
  for (const body of [...NO_LOGINS, '{"username":"alice","password":"x"}']) {
    const answer = await send(server, 'POST', '/api/login', undefined, body)
    expect(answer.status).toBe(200)
    expect(await signedInAs(server, answer.text)).toBe('admin')
  }
})

test('with a trusted proxy users are those it names', async () => {
  const server = proxied
  expect(await configOf(server)).toMatchObject({ AuthMethod: 'proxy', LoginPage: false, NoAuth: false })
  const from = (headers: Record<string, string>, body = '') =>
    call(server, '/api/login', { method: 'POST', headers, body })
  const alice = await from({ 'X-Remote-User': 'alice' }, '{"username":"","password":"","recaptcha":""}')
  expect(alice.status).toBe(200)
  expect(await signedInAs(server, alice.text)).toBe('alice')
  const newcomer = await from({ 'x-remote-user': 'newcomer' })
  const listing = json(await call(server, '/api/resources/', { token: newcomer.text }))
  expect(listing.items).toEqual([])
  for (const headers of [{}, { X_Remote_User: 'alice' }, { 'X-Remote-User': '' }, { 'X-Remote-User': 'a, b' }]) {
    expect((await from(headers as Record<string, string>)).status).toBe(403)
  }
  expect((await login(server, 'alice', PASSWORD)).status).toBe(403)
})

test.each(NO_LOGINS)('with a trusted proxy users are those it names, whatever the body is: %s', async body => {
  const from = (headers: Record<string, string>) =>
    call(proxied, '/api/login', { method: 'POST', headers, ...(body === undefined ? {} : { body }) })
  const answer = await from({ 'X-Remote-User': 'alice' })
  expect(answer.status).toBe(200)
  expect(await signedInAs(proxied, answer.text)).toBe('alice')
  expect((await from({})).status).toBe(403)
})

test('AUTH-14 two names from a proxy are refused', async () => {
  const target = `/api/login HTTP/1.1\r\nX-Remote-User: alice\r\nX-remote-user: admin\r\nX-Rest: `
  expect((await rawRequest(proxied, { method: 'POST', target, headers: { 'Content-Length': '0' } })).status).toBe(403)
})

test('AUTH-14 with an untrusted proxy no user is signed in', async () => {
  for (const args of [[], ['--trustedProxies', '10.0.0.0/8']]) {
    const server = await servedBy(PROXY, args)
    const headers = { 'X-Remote-User': 'alice', 'X-Forwarded-For': '10.0.0.1' }
    expect((await call(server, '/api/login', { method: 'POST', headers })).status).toBe(403)
  }
})

test('with proxy authentication sign-up is refused', async () => {
  const server = plain
  const token = (await person(server)).token
  await send(server, 'PUT', '/api/settings', token, { signup: true })
  const { db } = await openDb(server.database)
  await writeAuthSettings(db, AuthSettings.parse(PROXY))
  const body = { username: 'x', password: GOOD_PASSWORD }
  expect((await send(server, 'POST', '/api/signup', undefined, body)).status).toBe(405)
  expect((await configOf(server)).Signup).toBe(false)
  await writeAuthSettings(db, AuthSettings.parse({}))
  await db.destroy()
})

test('with a login hook users are accepted or refused', async () => {
  const server = await servedBy({ method: 'hook' }, ['--disableExec=false'])
  expect(await configOf(server)).toMatchObject({ AuthMethod: 'hook', LoginPage: true })
  const answer = await login(server, 'newcomer', GOOD_PASSWORD)
  expect(answer.status).toBe(200)
  expect(json(await call(server, '/api/resources/', { token: answer.text })).items).toEqual([])
  expect((await login(server, 'newcomer', 'wrong')).status).toBe(403)
  expect((await login(server, 'alice', PASSWORD)).status).toBe(403)
})

test('a hook is not run where the host has not allowed it', async () => {
  const server = await servedBy({ method: 'hook' })
  const answer = await login(server, 'newcomer', GOOD_PASSWORD)
  expect(answer.status).toBe(503)
  expect(answer.text).toBe('503 Service Unavailable\n')
})

test('with an external method the current password is not required', async () => {
  const server = await servedBy({ method: 'noauth' }, ['--requireCurrentPassword'])
  const { text: token } = await send(server, 'POST', '/api/login', undefined)
  const data = { username: 'bob', password: GOOD_PASSWORD }
  const body = { what: 'user', which: [], data, current_password: '' }
  expect((await send(server, 'POST', '/api/users', token, body)).status).toBe(201)
})

test('HTTP-14 the client address of a trusted proxy is accepted, that of other clients is ignored', async () => {
  const from = (server: OwnServer) =>
    call(server, '/api/login', {
      method: 'POST',
      headers: { 'X-Forwarded-For': '203.0.113.7' },
      body: JSON.stringify({ username: 'alice', password: 'wrong' }),
    })
  await from(proxied)
  await from(plain)
  expect(await proxied.log()).toContain('203.0.113.7')
  expect(await plain.log()).not.toContain('203.0.113.7')
})

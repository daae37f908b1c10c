import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { GOOD_PASSWORD, newcomer, send } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { openDav } from './dav-place.ts'

test('MFA-02 WebDAV opens nothing with the password of a user who has a second factor', async () => {
  const { dav, server, admin } = await openDav()
  const { token, name } = await newcomer(server, admin)
  const read = async (secret: string) => (await dav('GET', '/missing.txt', { user: [name, secret] })).status
  expect(await read(GOOD_PASSWORD)).toBe(404)
  const { secret } = json(await send(server, 'POST', '/api/account/totp', token, { current_password: GOOD_PASSWORD }))
  const code = spawnSync('oathtool', ['--totp', '-b', secret], { encoding: 'utf8' }).stdout.trim()
  expect((await send(server, 'POST', '/api/account/totp/confirm', token, { code })).status).toBe(200)
  expect(await read(GOOD_PASSWORD)).toBe(403)
  const fields = { label: 'x', scopes: ['read'], current_password: GOOD_PASSWORD }
  const made = json(await send(server, 'POST', '/api/tokens', token, fields))
  expect(await read(made.token)).toBe(404)
})

test('MFA-01 WebDAV opens nothing with the password of a user who must set up a second factor', async () => {
  const { dav, server, admin } = await openDav()
  const { name } = await newcomer(server, admin)
  const read = async () => (await dav('GET', '/missing.txt', { user: [name, GOOD_PASSWORD] })).status
  const secondFactor = { require: 'all', groups: [], from: null, graceDays: 0 }
  expect((await send(server, 'PUT', '/api/settings/access', admin.token, { secondFactor })).status).toBe(204)
  expect(await read()).toBe(403)
  const ended = { secondFactor: { ...secondFactor, require: 'none' } }
  expect((await send(server, 'PUT', '/api/settings/access', admin.token, ended)).status).toBe(204)
  expect(await read()).toBe(404)
})

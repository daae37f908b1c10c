import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, json, login } from '../api/client.ts'
import { serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

test('MFA-08 users reset-factor removes a second factor while the server runs, and is recorded', async () => {
  const server = await serveOnce()
  const admin = await manager(server)
  const shell = await openConsole(server.home)
  const { token, name } = await newcomer(server, admin)
  expect(await shell.refused('users', 'reset-factor', name, '-d', server.database)).toContain('has no second factor')
  const { secret } = json(await send(server, 'POST', '/api/account/totp', token, { current_password: GOOD_PASSWORD }))
  const { stdout } = spawnSync('oathtool', ['--totp', '-b', secret], { encoding: 'utf8' })
  const confirmed = await send(server, 'POST', '/api/account/totp/confirm', token, { code: stdout.trim() })
  expect(confirmed.status).toBe(200)
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(403)
  const lines = (await shell.ok('users', 'factors', '-d', server.database)).split('\n')
  expect(lines.find(line => line.includes(name))).toMatch(/20\d\d-\d\d-\d\dT/)
  expect(lines.find(line => line.includes('admin'))).toMatch(/none$/)

  await shell.ok('users', 'reset-factor', name, '-d', server.database)
  expect((await call(server, '/api/account/factors', { token })).status).toBe(401)
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(200)
  const { rows } = json(await call(server, '/api/audit', { token: admin.token }))
  expect(JSON.stringify(rows)).toContain(`users reset-factor ${name}`)
})

test('MFA-11 users require-factor sets and ends the duty while the server runs', async () => {
  const server = await serveOnce()
  const shell = await openConsole(server.home)
  const { name } = await newcomer(server, await manager(server))
  const policy = { require: 'all', groups: [], from: null, graceDays: 0 }
  const admin = await manager(server)
  const body = { secondFactor: policy }
  expect((await send(server, 'PUT', '/api/settings/access', admin.token, body)).status).toBe(204)
  expect((await login(server, name, GOOD_PASSWORD)).headers.get('x-error-code')).toBe('second_factor_setup')
  await shell.ok('users', 'require-factor', 'admins', '-d', server.database)
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(200)
  expect((await login(server, 'admin', server.adminPassword)).headers.get('x-error-code')).toBe('second_factor_setup')
  await shell.ok('users', 'require-factor', 'none', '-d', server.database)
  expect((await login(server, 'admin', server.adminPassword)).status).toBe(200)
  expect(await shell.refused('users', 'require-factor', 'some', '-d', server.database)).toContain('Expected none')
})

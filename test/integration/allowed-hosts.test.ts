import { expect, test } from 'vitest'
import { ADMIN_PASSWORD } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { rawRequest } from '../api/raw.ts'

const args = ['--allowedHosts', 'files.example.org,[::1]', '--contentOrigin', 'https://content.example']
const server = await serve({ args: [...args, '--trustedProxies', '127.0.0.1'] })

const statusAs = async (host: string, target = '/', headers: Record<string, string> = {}) =>
  (await rawRequest(server, { target, headers: { Host: host, ...headers } })).status

test('CSRF-03 under foreign host names every request is refused', async () => {
  for (const host of ['files.example.org', 'FILES.example.org:8443', '[::1]:8080']) {
    expect([host, await statusAs(host)]).toEqual([host, 200])
  }
  const others = ['attacker.example', 'files.example.org.attacker.example', '127.0.0.1', `127.0.0.1:${server.port}`]
  for (const host of [...others, 'localhost', '[::]', '', 'a b']) {
    for (const target of ['/', '/api/resources/', '/static/index.js', '/api/openapi.json', '/nowhere']) {
      const status = await statusAs(host, target)
      expect([host, target, status === 400 ? 421 : status]).toEqual([host, target, 421])
    }
  }
  const body = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD, recaptcha: '' })
  const headers = { Host: 'attacker.example', 'Content-Type': 'application/json' }
  const login = await rawRequest(server, { method: 'POST', target: '/api/login', headers, body })
  expect([login.status, login.headers['x-error-code']]).toEqual([421, 'wrong_host'])
})

test('CSRF-03 the host that a trusted proxy passes on counts, and the second origin is allowed', async () => {
  const asked = (host: string) => statusAs('127.0.0.1', '/', { 'X-Forwarded-Host': host })
  expect(await asked('files.example.org')).toBe(200)
  expect(await asked('attacker.example')).toBe(421)
  expect(await statusAs('content.example')).toBe(404)
})

test('CSRF-03 a service manager may check readiness by any host name', async () => {
  for (const target of ['/health', '/health/ready']) expect(await statusAs('10.1.2.3', target)).toBe(200)
})

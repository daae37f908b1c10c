import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { probeTarget } from '../../server/cli/doctor/ask.ts'
import { probeProxy } from '../../shared/diagnostics/probe-proxy.ts'
import { call, json, login, person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { linkTo, load, viewShare, withPassword } from '../api/links-client.ts'
import { rawRequest } from '../api/raw.ts'

const server = await serve({ args: ['--logLevel', 'debug'] })
await writeFile(join(server.root, 'a.txt'), 'alpha')
await mkdir(join(server.root, 'docs'))

const lines = async () =>
  (await server.log())
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

test('LOG-03 the log contains no password, no token and no cookie, whatever was tried', async () => {
  const admin = await person(server)
  await login(server, 'admin', 'wrong-password-1')
  await login(server, 'secret-name-2', 'wrong-password-3')
  await call(server, '/api/login', { method: 'POST', body: '{"username":"admin","password":"broken-json-4"' })
  await call(server, `/api/raw/a.txt?auth=${admin.token}`)
  await call(server, `/api/raw/a.txt?inline=true&AUTH=${admin.token}`)
  await call(server, `/api/raw/a.txt?%61uth=${admin.token}`)
  await call(server, `/api/resources/none?auth=${admin.token}&x=1`)
  await call(server, `/files/?redirect=x&token=${admin.token}`)
  await call(server, '/api/resources/', { headers: { Cookie: `auth=${admin.token}` } })
  await call(server, '/api/resources/', { token: `${admin.token}x` })
  await rawRequest(server, { target: `/api/raw/%zz?auth=${admin.token}` })
  const renewed = await call(server, '/api/renew', { method: 'POST', token: admin.token })
  const log = (await server.log()) + server.output()
  const secrets = [server.adminPassword, 'wrong-password', 'broken-json-4', admin.token, renewed.text]
  for (const secret of secrets) expect(log).not.toContain(secret)
  const [, , signature = ''] = admin.token.split('.')
  expect(log).not.toContain(signature)
})

test('a refused sign-in has a line with its status and the client’s address', async () => {
  await login(server, 'admin', 'wrong')
  const line = async () => (await lines()).findLast(entry => entry.url === '/api/login')
  await expect.poll(line).toMatchObject({ method: 'POST', status: 403, client: '127.0.0.1', time: expect.any(String) })
})

test('requests that diagnostics have refused are for debugging, those with credentials are not', async () => {
  await probeProxy(probeTarget(server.url))
  await call(server, '/api/resources/doctor', { method: 'DELETE', token: 'guessed' })
  await call(server, '/api/resources/doctor', { method: 'PUT', headers: { Authorization: 'Bearer guessed' } })
  await call(server, '/api/resources/doctor?auth=guessed', { method: 'PATCH' })
  const refused = async (level: number) =>
    (await lines()).filter(entry => /\/doctor/.test(entry.url) && entry.level === level).map(entry => entry.method)
  await expect.poll(() => refused(30)).toEqual(['DELETE', 'PUT', 'PATCH'])
  expect(await refused(20)).toEqual(expect.arrayContaining(['POST', 'PUT', 'PATCH', 'DELETE', 'GET']))
})

test('a failure of the server returns its id in the log', async () => {
  const { token } = await person(server)
  const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '9000000000000000' }
  const answer = await call(server, '/api/tus/huge.bin', { method: 'POST', token, headers })
  expect(answer.status).toBe(507)
  const line = async () => (await lines()).find(entry => entry.reqId === answer.headers.get('X-Request-Id'))
  await expect.poll(line).toMatchObject({ msg: 'request failed', code: 'no_space' })
  expect((await call(server, '/api/resources/none', { token })).headers.has('X-Request-Id')).toBe(false)
})

test('LOG-02 a name with a line break cannot forge a line', async () => {
  const before = (await lines()).length
  await call(server, `/api/resources/${encodeURIComponent('x\n{"level":50,"msg":"forged"}')}`)
  await rawRequest(server, { target: '/api/none\u001b[2J' })
  await expect.poll(async () => (await lines()).length).toBeGreaterThan(before)
  expect((await lines()).filter(entry => entry.msg === 'forged')).toEqual([])
})

test('a fresh start logs no warning', () => {
  expect(server.output()).not.toMatch(/warning|deprecat|experimental/i)
})

test('LOG-03 neither the password of a link nor its token is in any log', async () => {
  const admin = await person(server)
  const password = 'pä ss+%'
  const link = await linkTo(server, admin.token, '/docs', { password })
  const { token } = json(await viewShare(server, link.hash, '', '', withPassword(password)))
  expect((await load(server, link.hash, '/missing', `?token=${token}`)).status).toBe(404)
  const log = await server.log()
  expect(log).not.toContain(token)
  expect(log).not.toContain('p%C3%A4')
})

test('LOG-03 the name of a link is in no line, whatever was tried with it', async () => {
  const admin = await person(server)
  const link = await linkTo(server, admin.token, '/docs', { password: 'a password of its own' })
  const tries = ['', '/', '/none', '%2Fnone', '?inline=true', '/../x', '/%zz']
  for (const rest of tries) {
    for (const call of [
      '/api/public/share/',
      '/api/public/dl/',
      '/api/public%2Fdl%2F',
      '/api/%70ublic/dl//',
      '/share/',
    ]) {
      await rawRequest(server, { target: `${call}${link.hash}${rest}` })
    }
  }
  await rawRequest(server, { method: 'POST', target: `/api/public/dl/${link.hash}` })
  await call(server, `/api/share/${link.hash}`, { method: 'DELETE' })
  for (const rest of ['', '/visits', '/invitations']) await call(server, `/api/links/${link.hash}${rest}`)
  await call(server, `/api/resources/share/${encodeURIComponent('a name to see')}`, { token: admin.token })
  const urls = async () => (await lines()).map(line => line.url)
  // A line is written after the response.
  await expect.poll(urls).toContain('/api/resources/share/a%20name%20to%20see')
  expect(await urls()).toEqual(
    expect.arrayContaining(['/api/public/dl/…/none', '/share/…', '/api/share/…', '/api/links/…/visits']),
  )
  expect((await server.log()) + server.output()).not.toContain(link.hash)
})

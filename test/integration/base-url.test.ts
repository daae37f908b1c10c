import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, json, login, person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { rawRequest } from '../api/raw.ts'

const BASE = '/deep/er/base'
const server = await serve({ base: BASE })
await writeFile(join(server.root, 'a.txt'), 'alpha')
const admin = await person(server)

const ask = (target: string, method = 'GET') => rawRequest(server, { method, target })

test('everything works below the base URL', async () => {
  expect((await admin.put('/new.txt', 'new')).status).toBe(200)
  expect(json(await admin.get('/')).items).toMatchObject([{ path: '/a.txt' }, { path: '/new.txt' }])
  expect((await admin.raw('/a.txt')).text).toBe('alpha')
  expect((await admin.usage('/')).status).toBe(200)
  expect((await admin.remove('/new.txt')).status).toBe(204)
  expect((await ask(`${BASE}/health`)).body.toString()).toBe('{"status":"OK"}')
})

test('the cookie is valid below the base URL only', async () => {
  const cookie = (await login(server, 'admin', server.adminPassword)).headers.get('set-cookie') ?? ''
  expect(cookie.split('; ')).toContain(`Path=${BASE}`)
})

test('the URL of a scheduled job includes the base URL', async () => {
  const runAt = new Date(Date.now() + 3_600_000).toISOString()
  const body = JSON.stringify({ kind: 'delete', items: [{ from: '/a.txt' }], runAt })
  const answer = await call(server, '/api/jobs', { method: 'POST', token: admin.token, body })
  expect(answer.headers.get('location')).toBe(`${BASE}/api/jobs/${json(answer).id}`)
})

test('the page knows its base URL and loads everything from below it', async () => {
  const page = (await ask(`${BASE}/files/some/where`)).body.toString()
  const data = /id="app-config">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
  expect(JSON.parse(data)).toMatchObject({ BaseURL: BASE, StaticURL: `${BASE}/static` })
  const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(match => match[1] ?? '')
  expect(assets.length).toBeGreaterThan(1)
  for (const asset of assets) {
    expect(asset.startsWith(`${BASE}/static/`) || asset === `${BASE}/manifest.webmanifest`).toBe(true)
    expect((await ask(asset)).status).toBe(200)
  }
})

test('the base URL without a slash redirects to the one with it', async () => {
  const answer = await ask(BASE)
  expect(answer.status).toBe(301)
  expect(answer.headers.location).toBe(`${BASE}/`)
})

test.each([
  '/',
  '/api/login',
  '/api/resources/',
  '/health',
  '/static/',
  '/files/',
  '/deep',
  '/deep/er',
  '/deep/er/basement/',
  '/deep/er/base2/api/resources/',
  '/DEEP/ER/BASE/',
  '/deep/er//base/',
  '//deep/er/base/',
  '/deep/er/base/../base/api/resources/',
])('%s does not exist', async path => {
  const answer = await ask(path)
  expect([400, 404]).toContain(answer.status)
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
})

test('PATH-05 signing in fails outside the base URL', async () => {
  const body = JSON.stringify({ username: 'admin', password: server.adminPassword })
  const answer = await rawRequest(server, { method: 'POST', target: '/api/login', body })
  expect(answer.status).toBe(404)
})

test.each(['/api', '/api/nope', '//api/resources/', '/API/x', '/api/%2e%2e/'])(
  'below the base URL, %s is 404 as text',
  async path => {
    const answer = await ask(BASE + path)
    expect(answer.status).toBe(404)
    expect(answer.body.toString()).toBe('404 Not Found\n')
  },
)

test('a trailing slash of the setting makes no difference', async () => {
  const other = await serve({ base: BASE, args: ['--baseURL', `${BASE}/`] })
  expect((await rawRequest(other, { target: `${BASE}/health` })).status).toBe(200)
})

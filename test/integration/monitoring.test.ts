import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, person, signIn } from '../api/client.ts'
import { CONTRACT } from '../api/contract.ts'
import type { OwnServer } from '../api/harness.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { rawRequest } from '../api/raw.ts'
import { size } from '../faults/sizes.ts'

const hasPrometheus = ['promtool', 'prometheus'].every(name => spawnSync(name, ['--version']).status === 0)
const deployed = (file: string) => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')

/** Whole: 100,000. */
const LABELS = size('LABELS', 1000)

test('every metric of the dashboard and of the alerts exists, and OBS-03 no user, path or link is in a label', async () => {
  const server = await serve({ args: ['--metrics', '127.0.0.1:0'] })
  const token = await signIn(server)
  await call(server, '/api/resources/odd-folder/', { method: 'POST', token })
  await call(server, '/api/resources/odd-folder/', { method: 'ODDITY', token })
  const text = await (await fetch(`${await metricsOf(server)}/metrics`)).text()
  const names = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))
  names.add('up')
  const used = `${deployed('grafana/filigree.json')}\n${deployed('prometheus/rules.yml')}`
  const expressions = [...used.matchAll(/\b(?:filigree|process|nodejs)_[a-z_]+(?=\{)|\bup(?=\{)/g)].map(
    ([name]) => name,
  )
  expect(new Set(expressions).size).toBeGreaterThan(10)
  // Only of servers with providers.
  const shown = expressions.map(name => name.replace(/_bucket$/, '')).filter(name => name !== 'filigree_provider_up')
  expect(shown.filter(name => !names.has(name))).toEqual([])
  expect(text).not.toMatch(/odd-folder|ODDITY|admin"/)
  expect(text).toContain('\nfiligree_sessions 1\n')
  expect(text).toContain('\nfiligree_jobs{state="waiting"} 0\n')
  if (hasPrometheus) {
    const linted = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    expect(linted.stderr.split('\n').filter(line => line.startsWith('filigree_'))).toEqual([])
  }
})

test('sign-ins are counted by their way and their outcome', async () => {
  const server = await serve({ args: ['--metrics', '127.0.0.1:0'] })
  const logIn = (password: string) =>
    call(server, '/api/login', { method: 'POST', body: JSON.stringify({ username: 'admin', password }) })
  await signIn(server)
  for (const password of ['wrong', 'wrong again']) expect((await logIn(password)).status).toBe(403)
  const text = await (await fetch(`${await metricsOf(server)}/metrics`)).text()
  expect(text.match(/^filigree_logins_total.*$/gm)).toEqual([
    'filigree_logins_total{way="session",outcome="done"} 1',
    'filigree_logins_total{way="session",outcome="wrong_credentials"} 2',
  ])
})

test.runIf(hasPrometheus)('the rules of the alerts pass their tests', () => {
  const cwd = new URL('../../deploy/prometheus', import.meta.url)
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', 'rules.test.yml'], {
    cwd,
    encoding: 'utf8',
  })
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
})

test('the access log has a line for each request, without secrets (OBS-01), which no client can forge (OBS-02)', async () => {
  const file = join(await makeHome(), 'logs', 'access.log')
  const server = await serve({ args: ['--accessLog', file] })
  const token = await signIn(server)
  const agent = `curl/8 "}\u2028{"status":200`
  await call(server, `/api/resources/?auth=${token}`, { token, headers: { 'User-Agent': encodeURI(agent) } })
  await call(server, '/api/resources/missing%0A%22', { token })
  await fetch(`${server.url}/dav/`, { method: 'PROPFIND', headers: { Depth: '1' } })
  const log = async () => await readFile(file, 'utf8').catch(() => '')
  await expect.poll(log).toContain('PROPFIND')
  const lines = (await log())
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines).toMatchObject([
    { method: 'POST', url: '/api/login', status: 200, client: '127.0.0.1' },
    { url: '/api/resources/?auth=…', status: 200, user: 'admin', agent: encodeURI(agent) },
    {
      url: '/api/resources/missing%0A%22',
      status: 404,
      code: 'not_found',
      out: expect.any(Number),
      ms: expect.any(Number),
    },
    { method: 'PROPFIND', url: '/dav/', status: 401, depth: '1' },
  ])
  expect(await log()).not.toContain(token)
})

test('OBS-01 no secret of a request is in the access log, to whatever route it is sent', async () => {
  const { file, server } = await logged()
  const secret = `flg_${'s3cret'.repeat(7)}`
  const query = ['auth', 'token', 'ticket', 'access_token', 'link', 'code', 'state'].map(name => `${name}=${secret}`)
  const headers = { 'X-Auth': secret, Cookie: `auth=${secret}`, Authorization: `Bearer ${secret}`, Referer: secret }
  const routes = CONTRACT.map(({ method, route }) => [method, route.replaceAll(/:hash\b/g, secret)] as const)
  for (const [method, route] of [...routes, ['PROPFIND', '/dav/x'], ['GET', `/share/${secret}`]] as const) {
    const target = `${route.replaceAll(/:\w+/g, '1').replace('*', 'x')}?${query.join('&')}`
    await rawRequest(server, { method, target, headers, body: JSON.stringify({ password: secret }) })
  }
  await expect.poll(async () => (await linesOf(file)).length).toBeGreaterThanOrEqual(CONTRACT.length)
  await expect
    .poll(async () => (await linesOf(file)).map(({ url }) => url))
    .toContainEqual(expect.stringMatching(/^\/share\/…\?/))
  expect(await readFile(file, 'utf8')).not.toContain(secret)
  expect(await server.log()).not.toContain(secret)
})

test('OBS-02 names, programs and addresses forge no line of the access log', async () => {
  const { file, server } = await logged('--trustedProxies', '127.0.0.1')
  const forged = '"}{"status":299,"url":"forged'
  const { token } = await person(server)
  await call(server, '/api/users', {
    method: 'POST',
    token,
    body: JSON.stringify({ what: 'user', which: [], data: { username: `${forged}\n{}` } }),
  })
  const headers = { 'User-Agent': `${forged}\u0085\u2028 `, 'X-Forwarded-For': forged, Depth: forged, 'X-Auth': forged }
  for (const [method, target] of [
    ['GET', `/api/resources/${encodeURIComponent(`${forged}\n{}`)}`],
    ['PROPFIND', '/dav/x'],
    ['GET', '/last'],
  ] as const)
    await rawRequest(server, { method, target, headers })
  await expect.poll(async () => (await linesOf(file)).map(({ url }) => url)).toContain('/last')
  for (const line of await linesOf(file)) {
    expect(line).toMatchObject({ method: expect.any(String), id: expect.any(String) })
    expect(line.status).not.toBe(299)
    expect(line.url).not.toBe('forged')
  }
})

test(`OBS-03 ${LABELS} methods, paths, users and addresses add no label`, async () => {
  const server = await serve({ args: ['--metrics', '127.0.0.1:0', '--trustedProxies', '127.0.0.1'] })
  const place = await metricsOf(server)
  const ask = (index: number) =>
    rawRequest(server, {
      method: ['GET', 'ODD', 'PROPFIND', 'POST'][index % 4] === 'ODD' ? `ODD${index}` : 'GET',
      target:
        ['/odd', '/api/odd', '/api/resources/odd', '/api/public/share/odd', '/dav/odd'][index % 5] + String(index),
      headers: { 'X-Forwarded-For': `203.0.113.${index % 250}`, Authorization: `Basic ${btoa(`odd${index}:x`)}` },
    })
  const seriesAfter = async (from: number, count: number): Promise<string[]> => {
    for (let index = from; index < from + count; index += 20)
      await Promise.all(Array.from({ length: 20 }, (_, at) => ask(index + at)))
    return (await (await fetch(`${place}/metrics`)).text()).match(/^filigree_[^ ]+/gm) ?? []
  }
  const first = await seriesAfter(0, 100)
  const later = await seriesAfter(100, LABELS)
  expect(later.filter(series => !first.includes(series))).toEqual([])
  expect(later.join()).not.toContain('odd')
})

async function logged(...args: string[]) {
  const file = join(await makeHome(), 'logs', 'access.log')
  return { file, server: await serve({ args: ['--accessLog', file, ...args] }) }
}

/** Every line is one object. */
async function linesOf(file: string): Promise<{ url: string; status: number }[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

/** The address of the metrics of a server that picked a free port, from its log. */
async function metricsOf(server: OwnServer): Promise<string> {
  const find = async () => /"port":(\d+),"msg":"metrics/.exec(await server.log())?.[1]
  await expect.poll(find).toBeDefined()
  return `http://127.0.0.1:${await find()}`
}

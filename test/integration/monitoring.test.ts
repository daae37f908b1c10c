import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, signIn } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'

const hasPrometheus = ['promtool', 'prometheus'].every(name => spawnSync(name, ['--version']).status === 0)
const deployed = (file: string) => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')

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

/** The address of the metrics of a server that picked a free port, from its log. */
async function metricsOf(server: OwnServer): Promise<string> {
  const find = async () => /"port":(\d+),"msg":"metrics/.exec(await server.log())?.[1]
  await expect.poll(find).toBeDefined()
  return `http://127.0.0.1:${await find()}`
}

import { spawnSync } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { halves } from '../../server/features/previews/test-pictures.ts'
import { ADMIN_PASSWORD, launch, makeHome } from '../api/harness.ts'

/** A network namespace without any route. */
const ALONE = ['unshare', ...(process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']), '--net']
const [program = '', ...options] = ALONE
const canBeAlone = spawnSync(program, [...options, 'true']).status === 0

/** Connections opened and packets sent in a network, including those without a route. */
async function attemptsIn(pid: number | string): Promise<number> {
  const files = await Promise.all(['snmp', 'snmp6'].map(name => readFile(`/proc/${pid}/net/${name}`, 'utf8')))
  const counters = new Map<string, number>()
  const [tables = '', lines = ''] = files
  const rows = tables.trim().split('\n')
  for (let at = 0; at + 1 < rows.length; at += 2) {
    const [names, values] = [rows[at], rows[at + 1]].map(row => (row ?? '').split(' '))
    for (const [index, name] of (names ?? []).entries()) counters.set(`${names?.[0]}${name}`, Number(values?.[index]))
  }
  for (const line of lines.split('\n')) counters.set(line.split(/\s+/)[0] ?? '', Number(line.split(/\s+/)[1]))
  const counterNames = ['Tcp:ActiveOpens', 'Udp:OutDatagrams', 'Ip:OutNoRoutes', 'Ip6OutNoRoutes', 'Udp6OutDatagrams']
  return counterNames.reduce((sum, name) => sum + (counters.get(name) ?? Number.NaN), 0)
}

interface Question {
  method?: string
  token?: string
  body?: string | Buffer
}

/** Sends a request to a server on a Unix socket. */
function askAt(socketPath: string) {
  return (path: string, { method = 'GET', token, body }: Question = {}) =>
    new Promise<{ status: number; bytes: Buffer }>((resolve, reject) => {
      const headers = { ...(token === undefined ? {} : { 'X-Auth': token }) }
      const asked = request({ socketPath, path, method, headers }, answer => {
        buffer(answer).then(bytes => resolve({ status: answer.statusCode ?? 0, bytes }), reject)
      })
      asked.once('error', reject)
      asked.end(body)
    })
}

test.runIf(canBeAlone)(
  'OPS-09 SUP-06 without a network and without DNS everything works, and nothing attempts to connect',
  async () => {
    const home = await makeHome()
    const socket = join(home, 'socket')
    const root = join(home, 'srv')
    await writeFile(join(root, 'picture.png'), await halves(64, 64).png().toBuffer())
    const flags = ['--root', root, '--database', join(home, 'f.db'), '--socket', socket, '--log', join(home, 'log')]
    const run = launch(flags, { shell: `exec ${ALONE.join(' ')} "$@"` })
    onTestFinished(async () => {
      run.child.kill()
      await run.ended
      await rm(home, { recursive: true, force: true })
    })
    const ask = askAt(socket)
    await expect
      .poll(
        () =>
          ask('/health').then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 30_000 },
      )
      .toBe(200)
    const pid = run.child.pid ?? 0

    const login = JSON.stringify({ username: 'admin', password: ADMIN_PASSWORD, recaptcha: '' })
    const token = String((await ask('/api/login', { method: 'POST', body: login })).bytes)
    const statusOf = async (path: string, question: Question = {}) => (await ask(path, { token, ...question })).status
    expect(await statusOf('/api/resources/a.txt', { method: 'POST', body: 'alpha' })).toBe(200)
    expect(String((await ask('/api/raw/a.txt', { token })).bytes)).toBe('alpha')
    const link = JSON.parse(String((await ask('/api/share/a.txt', { method: 'POST', token, body: '{}' })).bytes))
    for (const path of [
      '/',
      '/api/resources/',
      '/api/search/?query=a',
      '/api/preview/thumb/picture.png',
      '/api/raw/?algo=zip',
      '/api/usage/',
      '/api/settings',
      '/api/doctor',
      '/api/audit',
      '/api/openapi.json',
      `/api/public/dl/${link.hash}`,
    ]) {
      expect([path, await statusOf(path)]).toEqual([path, 200])
    }
    expect(await attemptsIn(pid)).toBe(0)
  },
)

test.runIf(canBeAlone)('an attempt to connect is detected', () => {
  const script = `
    const { connect } = require('node:net')
    const tell = () => process.stdout.write(require('node:fs').readFileSync('/proc/self/net/snmp'))
    connect(80, '192.0.2.1').on('error', tell)`
  const { stdout } = spawnSync(program, [...options, process.execPath, '-e', script], { encoding: 'utf8' })
  const [names = [], values = []] = stdout
    .split('\n')
    .filter(line => line.startsWith('Ip:'))
    .map(line => line.split(' '))
  expect(Number(values[names.indexOf('OutNoRoutes')])).toBeGreaterThan(0)
})

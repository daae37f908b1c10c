import { spawn, spawnSync } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, person, signIn } from '../api/client.ts'
import { launch, makeHome, type OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { openConsole } from '../cli/console.ts'

describe('metrics', () => {
  test('OBS-04 are served on a listener of their own, which serves nothing else, and not where files are', async () => {
    const server = await serve({ args: ['--metrics', '127.0.0.1:0'] })
    const place = await metricsOf(server)
    await signIn(server)
    await call(server, '/api/resources/')
    const text = await (await fetch(`${place}/metrics`)).text()
    expect(text).toContain('\nfiligree_http_requests_total{method="POST",route="/api/login",status="200"} 1\n')
    expect(text).toContain('\nfiligree_http_requests_total{method="GET",route="/api/resources/*",status="401"} 1\n')
    expect(text).toContain('\nfiligree_http_request_duration_seconds_count 2\n')
    expect(text).toMatch(/^process_resident_memory_bytes \d{7,}$/m)
    const samples = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
    for (const line of samples) expect(line).toMatch(/^[a-z_\d]+(\{[^}]*\})? (?:[\d.e+-]+|Nan)$/i)
    for (const name of [
      'nodejs_heap_size_used_bytes',
      'nodejs_gc_duration_seconds_count',
      'nodejs_active_handles_total',
    ])
      expect(text).toMatch(new RegExp(`^${name}`, 'm'))
    expect((await fetch(`${place}/api/resources/`)).status).toBe(404)
    for (const path of ['/metrics', '/api/metrics'])
      expect((await call(server, path, { token: await signIn(server) })).text).not.toContain('filigree_')
    expect((await fetch(`${place}/metrics`, { method: 'POST' })).status).toBe(404)
  })

  test('cannot be served at an address that is in use, which is reported in a message', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await new Promise(resolve => taken.once('listening', resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const home = await makeHome()
    const flags = ['--root', join(home, 'srv'), '-d', join(home, 'f.db'), '-p', '0', '--metrics', `127.0.0.1:${port}`]
    const run = launch(flags)
    expect(await run.ended).toBe(1)
    expect(run.output()).toContain(`Metrics cannot be served at 127.0.0.1:${port} (EADDRINUSE).`)
  })
})

test('a running server is ready, which filigree health detects automatically, also under a base URL', async () => {
  const server = await serve({ base: '/deep' })
  expect((await call(server, '/health/ready')).text).toBe('{"status":"OK"}')
  const shell = await openConsole(server.home)
  await writeFile(join(server.home, '.filigree.json'), JSON.stringify({ port: server.port, baseURL: '/deep' }))
  expect(await shell.ok('health')).toContain(`127.0.0.1:${server.port} accepts requests.`)
  await server.end()
  expect(await shell.refused('health')).toContain('ECONNREFUSED')
})

test('new files and folders get the configured modes, and a file that is replaced keeps its own', async () => {
  const args = ['--fileMode', '0664', '--dirMode', '0775']
  const server = await serve({ args, shell: 'umask 002' })
  const admin = await person(server)
  await writeFile(join(server.root, 'old.txt'), 'old', { mode: 0o600 })
  await admin.put('/new/')
  await admin.put('/new/a.txt', 'a')
  await admin.put('/old.txt', 'new', '?override=true')
  const modes = await Promise.all(['new', 'new/a.txt', 'old.txt'].map(name => stat(join(server.root, name))))
  expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['775', '664', '600'])
})

/** Prints each datagram that a socket receives, one per line, as systemd would read them. */
const RECEIVER = `
import socket, sys
receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
receiver.bind(sys.argv[1])
print("listens", flush=True)
while True: print(repr(receiver.recv(4096)), flush=True)
`
const canBeSupervised = ['systemd-notify', 'python3'].every(name => spawnSync(name, ['--version']).status === 0)

test.runIf(canBeSupervised)(
  'systemd is notified when the server is ready, while it is alive, and when it stops',
  async () => {
    const home = await makeHome()
    const socket = join(home, 'notify')
    const receiver = spawn('python3', ['-c', RECEIVER, socket])
    onTestFinished(() => void receiver.kill())
    let received = ''
    receiver.stdout.on('data', chunk => {
      received += chunk
    })
    await expect.poll(() => received).toContain('listens')
    const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '400000' }
    const server = await serve({ home, env })
    await expect.poll(() => received).toContain(`READY=1\\nSTATUS=Serves ${server.root}`)
    await expect.poll(() => received).toContain('WATCHDOG=1')
    expect(received).not.toContain('STOPPING=1')
    await server.end()
    await expect.poll(() => received).toContain('STOPPING=1')
  },
)

/** The address of the metrics of a server that picked a free port, from its log. */
async function metricsOf(server: OwnServer): Promise<string> {
  const find = async () => /"port":(\d+),"msg":"metrics/.exec(await server.log())?.[1]
  await expect.poll(find).toBeDefined()
  return `http://127.0.0.1:${await find()}`
}

import { existsSync, readFileSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { isAlive, isGone, pidIn } from '../../server/sandbox/test-process.ts'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { type CommandCall, openCommand, runCommand, startCommand } from '../api/command-client.ts'
import { corner, serve } from '../api/instance.ts'
import { rawRequest } from '../api/raw.ts'

const NOT_ALLOWED = { code: 1000, lines: ['Command not allowed.'] }

/** A server that does not allow programs. */
const off = await serve()
const chief = await manager(off)
const server = await serve({
  base: '/fb',
  args: ['--disableExec=false', '--execSandbox=none'],
  env: { FILIGREE_SECRET: 'hidden', DATABASE_URL: 'hidden' },
})
const admin = await manager(server)
const ALLOWED = ['sh', 'cat', 'printf', 'echo', 'env', 'pwd', 'yes', 'head', 'gone', './tool', 'ls']
const ann = await newcomer(server, admin, { perm: perm('execute'), commands: ALLOWED })

/** Writes a script into a folder of its own and runs it there. */
async function script(text: string, how: CommandCall = {}) {
  const place = await corner(server)
  await writeFile(join(place.disk, 'run.sh'), text)
  const command = await startCommand(server, 'sh run.sh', { token: ann.token, folder: place.path, ...how })
  return { ...command, ...place }
}
const run = (line: string, how: CommandCall = {}) => runCommand(server, line, { token: ann.token, ...how })

describe('a command', () => {
  test('sends both of its streams line by line, and closes cleanly', async () => {
    const { lines, closed } = await script(`
      for i in 1 2 3; do echo out $i; sleep 0.05; echo err $i >&2; sleep 0.05; done
      printf '\\033[31mred\\033[0m\\r\\n\\nlast'; exit 3`)
    expect(await closed).toBe(1000)
    const red = '\u001b[31mred\u001b[0m'
    expect(lines).toEqual(['out 1', 'err 1', 'out 2', 'err 2', 'out 3', 'err 3', red, '', 'last'])
  })

  test('sends its first line while it still runs', async () => {
    const { lines, socket, closed } = await script('echo first; exec sleep 100')
    await expect.poll(() => lines.length).toBeGreaterThan(0)
    expect(lines).toEqual(['first'])
    socket.close()
    await closed
  })

  test('is split at quotes and backslashes', async () => {
    expect((await run(`printf '%s\\n' "a b" c\\ d 'e"f'`)).lines).toEqual(['a b', 'c d', 'e"f'])
  })

  test('may follow any number of blank messages', async () => {
    const { socket, lines, closed } = await openCommand(server, { token: ann.token })
    for (const message of ['', ' ', '\n', 'echo here']) socket.send(message)
    expect(await closed).toBe(1000)
    expect(lines).toEqual(['here'])
  })

  test('has empty input', async () => {
    expect(await run('cat')).toEqual({ code: 1000, lines: [] })
  })

  test('CMD-04 finds no secret of the server in its environment', async () => {
    const { lines } = await run('env')
    expect(lines.join('\n')).not.toMatch(/hidden|FILIGREE|passphrase|DATABASE_URL/)
    expect(lines.some(line => line.startsWith('PATH=/'))).toBe(true)
  })

  test('CMD-05 may write a line of any length and invalid UTF-8', async () => {
    const { lines, closed } = await script(`head -c 1000000 /dev/zero | tr '\\0' 'ä'; printf '\\377\\000ok\\n'`)
    await closed
    const whole = lines.join('')
    expect(whole).toHaveLength(1_000_004)
    expect(whole.endsWith('\ufffd\0ok')).toBe(true)
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(64 * 1024)
  })

  test('CMD-06 that writes many errors before its output does not stall', async () => {
    const { lines, closed } = await script(`yes complaint | head -c 10000000 >&2; echo done`)
    expect(await closed).toBe(1000)
    expect(lines).toHaveLength(1_000_001)
    expect(lines.at(-1)).toBe('done')
  })
})

describe('the folder of a command', () => {
  test('is that of the URL, in the scope of the user', async () => {
    const place = await corner(server)
    await mkdir(join(place.disk, 'in side'))
    const bob = await newcomer(server, admin, { perm: perm('execute'), commands: ['pwd'], scope: place.path })
    const ran = await runCommand(server, 'pwd', { token: bob.token, folder: '/in%20side' })
    expect(ran.lines).toEqual([join(place.disk, 'in side')])
    expect((await runCommand(server, 'pwd', { token: bob.token, folder: '/' })).lines).toEqual([place.disk])
  })

  test('must be visible to the user', async () => {
    const place = await corner(server)
    await writeFile(join(place.disk, 'file'), '')
    await mkdir(join(place.disk, 'denied'))
    await symlink('denied', join(place.disk, 'alias'))
    await symlink('/etc', join(place.disk, 'out'))
    const rules = [{ path: '/denied' }]
    const bob = await newcomer(server, admin, { perm: perm('execute'), commands: ['pwd'], scope: place.path, rules })
    const said = async (folder: string) => (await runCommand(server, 'pwd', { token: bob.token, folder })).lines
    expect(await said('/nothing')).toEqual(['There is no such folder.'])
    expect(await said('/file')).toEqual(['Commands run in folders, and this is a file.'])
    for (const folder of ['/denied', '/alias', '/out']) {
      expect(await said(folder)).toEqual(['You may not run commands in this folder.'])
    }
  })

  test('is refused before anything runs when the URL climbs', async () => {
    const climbing = { method: 'GET', target: '/fb/api/command/../..%2f', headers: handshake({ 'X-Auth': ann.token }) }
    expect((await rawRequest(server, climbing)).status).toBe(400)
  })
})

describe('an allowed command', () => {
  test.each(['ca', 'catt', 'CAT', '/bin/cat', 'c.t', 'cat\u200b', '^cat$', '"cat "', 'sh;', 'A=1 cat', '-c'])(
    'CMD-03 is exactly one on the list: not %j',
    async line => expect(await run(`${line} x`)).toEqual(NOT_ALLOWED),
  )

  test('does not exist for an administrator with an empty list', async () => {
    expect(await run('ls', { token: admin.token })).toEqual(NOT_ALLOWED)
  })

  test.each([
    ['echo a; touch P', 'a; touch P'],
    ['echo a && touch P', 'a && touch P'],
    ['echo a | touch P', 'a | touch P'],
    ['echo `touch P` $(touch P)', '`touch P` $(touch P)'],
    ['echo a > P', 'a > P'],
    ['echo a & touch P', 'a & touch P'],
    ['echo a\ntouch P', 'a touch P'],
    ['echo $HOME ~ *', '$HOME ~ *'],
  ])('CMD-02 has no shell to interpret it: %j', async (line, said) => {
    const place = await corner(server)
    expect((await run(line, { folder: place.path })).lines).toEqual([said])
    expect(existsSync(join(place.disk, 'P'))).toBe(false)
  })

  test('has no shell to interpret it even where the settings name one', async () => {
    await admin.change({ shell: ['sh', '-c'] })
    const place = await corner(server)
    expect((await run('echo a; touch P', { folder: place.path })).lines).toEqual(['a; touch P'])
    expect(existsSync(join(place.disk, 'P'))).toBe(false)
    await admin.change({ shell: [] })
  })

  test('CMD-03 is not a file of that name in the folder', async () => {
    const place = await corner(server)
    for (const name of ['ls', 'tool']) {
      await writeFile(join(place.disk, name), '#!/bin/sh\necho planted\n', { mode: 0o755 })
    }
    expect((await run('ls', { folder: place.path })).lines).toEqual(['ls', 'tool'])
    const tool = await run('./tool', { folder: place.path })
    expect(tool).toEqual({ code: 1000, lines: ["the program './tool' cannot be started"] })
  })

  test('must exist', async () => {
    expect((await run('gone away')).lines).toEqual(["the program 'gone' cannot be started"])
  })

  test.each([
    ['echo "a', 'error parsing command: a quote is not closed'],
    ['echo \\', 'error parsing command: nothing follows the last backslash'],
    ['echo a\0b', 'error parsing command: a NUL cannot be part of a command'],
    ["''", "no command contained in ''''"],
  ])('must be parseable: %j', async (line, said) => {
    expect(await run(line)).toEqual({ code: 1000, lines: [said] })
  })
})

/** The constant headers of a handshake (RFC 6455, 1.2). */
function handshake(more: Record<string, string> = {}) {
  return {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...more,
  }
}

describe('the WebSocket of a command', () => {
  const refusal = (how: CommandCall) => openCommand(server, how).then(() => 'open', String)

  test('accepts a token in a header, the cookie or the URL', async () => {
    const ways = [
      { headers: { 'X-Auth': ann.token } },
      { headers: { Cookie: `auth=${ann.token}` } },
      { query: `?auth=${ann.token}` },
    ]
    for (const way of ways) expect((await runCommand(server, 'echo hi', way)).lines).toEqual(['hi'])
  })

  test('WS-02 requires a token', async () => {
    expect(await refusal({})).toContain('401 401 Unauthorized\n')
    expect(await refusal({ token: 'a.b.c' })).toContain('401 401 Unauthorized\n')
  })

  test('requires the execute permission, whatever the user’s list contains', async () => {
    const bob = await newcomer(server, admin, { perm: perm('create', 'download'), commands: ['ls'] })
    expect(await refusal({ token: bob.token })).toContain('403 403 Forbidden\n')
  })

  test('WS-01 accepts a browser on a page of this server', async () => {
    const origin = `http://${server.host}:${server.port}`
    expect((await run('echo hi', { headers: { Origin: origin } })).lines).toEqual(['hi'])
    const proxied = { Host: 'files.example', Origin: 'https://files.example' }
    expect((await run('echo hi', { headers: proxied })).lines).toEqual(['hi'])
  })

  test.each(['http://evil.example', 'null', 'http://127.0.0.1', 'http://127.0.0.1:1', 'file://', '', 'http://x@y'])(
    'WS-01 refuses a browser on the page %j',
    async origin => {
      const headers = { Origin: origin, Cookie: `auth=${ann.token}` }
      expect(await refusal({ headers })).toContain('403 403 Forbidden\n')
    },
  )

  test('requires the protocol', async () => {
    expect((await call(server, '/api/command/', { token: ann.token })).status).toBe(400)
    const wrong = handshake({ 'X-Auth': ann.token, 'Sec-WebSocket-Version': '8' })
    const answer = await rawRequest(server, { target: '/fb/api/command/', headers: wrong })
    expect(answer.status).toBe(400)
    expect(answer.body.toString()).toBe('400 Bad Request (this address takes a WebSocket)\n')
  })

  test('WS-05 is limited in number for each user', async () => {
    const bob = await newcomer(server, admin, { perm: perm('execute'), commands: ['ls'] })
    const open = await Promise.all(Array.from({ length: 8 }, () => openCommand(server, { token: bob.token })))
    expect(await refusal({ token: bob.token })).toContain('429 429 Too Many Requests\n')
    expect((await run('echo hi')).lines).toEqual(['hi'])
    for (const { socket } of open) socket.close()
    await Promise.all(open.map(({ closed }) => closed))
    await expect.poll(() => refusal({ token: bob.token })).toBe('open')
  })
})

describe('a client', () => {
  test('WS-03 that sends too much at once is disconnected', async () => {
    const { closed, socket } = await openCommand(server, { token: ann.token })
    socket.send('x'.repeat(64 * 1024 + 1))
    expect(await closed).toBe(1009)
  })

  test('WS-03 that sends bytes instead of text is disconnected', async () => {
    const { closed, socket } = await openCommand(server, { token: ann.token })
    socket.send(Buffer.from('ls'))
    expect(await closed).toBe(1003)
  })

  test('that sends more while a command runs is ignored', async () => {
    const { socket, closed, lines } = await script('sleep 0.3; echo done')
    for (let count = 0; count < 1000; count += 1) socket.send('echo more')
    expect(await closed).toBe(1000)
    expect(lines).toEqual(['done'])
  })

  test('CMD-07 that leaves ends the command and all its processes', async () => {
    const { socket, disk } = await script('sleep 100 & echo $! > child; echo $$ > own; wait')
    const pids = [await pidIn(join(disk, 'child')), await pidIn(join(disk, 'own'))]
    socket.terminate()
    await Promise.all(pids.map(isGone))
  })

  test('CMD-07 that leaves ends a command that ignores SIGTERM', async () => {
    const { socket, disk } = await script(`trap '' TERM HUP INT; echo $$ > own; while :; do sleep 0.1; done`)
    const pid = await pidIn(join(disk, 'own'))
    socket.close()
    await isGone(pid)
  })

  test('WS-04 that does not read makes the command wait, without using memory', async () => {
    const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024
    const text = `for i in $(seq 30); do head -c 999999 /dev/zero | tr '\\0' x; echo; echo $i > count; done`
    const { socket, disk, closed, lines } = await script(text, { options: { perMessageDeflate: false } })
    socket.pause()
    const before = memory()
    const count = () => Number(existsSync(join(disk, 'count')) && readFileSync(join(disk, 'count'), 'utf8'))
    let last = -1
    await vi.waitUntil(
      () => {
        const stood = count() === last
        last = count()
        return stood
      },
      { interval: 500, timeout: 30_000 },
    )
    expect(last).toBeLessThan(30)
    expect(memory() - before).toBeLessThan(60)
    socket.resume()
    await closed
    expect(lines.join('')).toHaveLength(30 * 999_999)
    expect(memory() - before).toBeLessThan(100)
  })
})

describe('a command ends within seconds', () => {
  test('AUTH-06 of the sign-out of its user', async () => {
    const bob = await newcomer(server, admin, { perm: perm('execute'), commands: ['sh'] })
    const { closed, disk } = await script('echo $$ > own; exec sleep 100', { token: bob.token })
    const pid = await pidIn(join(disk, 'own'))
    await call(server, '/api/logout', { method: 'POST', token: bob.token })
    expect(await closed).toBe(1008)
    await isGone(pid)
  })

  test.each([
    ['may no longer execute', ['perm'], { perm: perm('create') }],
    ['lose it from their list', ['commands'], { commands: ['ls'] }],
    ['get another scope', ['scope'], { scope: '/elsewhere' }],
  ])('CMD-11 when they %s', async (_what, which, data) => {
    const bob = await newcomer(server, admin, { perm: perm('execute'), commands: ['sh'] })
    const { closed, disk } = await script('echo $$ > own; exec sleep 100', { token: bob.token })
    const pid = await pidIn(join(disk, 'own'))
    expect((await admin.update(bob.id, which, data)).status).toBe(200)
    expect(await closed).toBe(1008)
    await isGone(pid)
  })

  test('when the server stops', async () => {
    const other = await serve({ args: ['--disableExec=false', '--execSandbox=none'] })
    const chief = await manager(other)
    await writeFile(join(other.root, 'run.sh'), `trap '' TERM; echo $$ > own; while :; do sleep 0.1; done`)
    const bob = await newcomer(other, chief, { perm: perm('execute'), commands: ['sh'] })
    const { closed } = await startCommand(other, 'sh run.sh', { token: bob.token })
    const pid = await pidIn(join(other.root, 'own'))
    expect(await other.end()).toBe(0)
    expect(isAlive(pid)).toBe(false)
    expect(await closed).toBe(1001)
  })
})

describe('a host that allows no programs', () => {
  test('CMD-01 has no such endpoint, and its page says so', async () => {
    const bob = await newcomer(off, chief, { perm: perm('execute'), commands: ['ls'] })
    await expect(openCommand(off, { token: bob.token })).rejects.toMatchObject({ status: 404, body: '404 Not Found\n' })
    expect(await enabled(off.url)).toBe(false)
    expect(await enabled(server.url)).toBe(true)
  })

  test('CMD-01 cannot be changed by an administrator', async () => {
    await chief.change({ enableExec: true, disableExec: false, shell: ['sh', '-c'] })
    await expect(openCommand(off, { token: chief.token })).rejects.toMatchObject({ status: 404 })
  })
})

async function enabled(url: string): Promise<boolean> {
  const page = (await call({ url }, '/login')).text
  const [, config = ''] = /id="app-config">([^<]*)</.exec(page) ?? []
  return json({ text: config }).EnableExec
}

test('the log contains who ran which program where, and no token', async () => {
  await runCommand(server, 'echo private-words', { query: `?auth=${ann.token}` })
  const log = await server.log()
  const line = log.split('\n').find(text => text.includes('command ran') && text.includes('"echo"'))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ user: ann.name, folder: '/', program: 'echo', code: 0 })
  expect(log).not.toContain('private-words')
  expect(log).not.toContain(ann.token)
})

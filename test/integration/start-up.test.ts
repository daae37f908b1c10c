import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, login, person, signIn } from '../api/client.ts'
import { entriesIn } from '../api/descriptors.ts'
import { ADMIN_PASSWORD, launch, makeHome, startServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { openSocket } from '../api/raw.ts'

/** Milliseconds after which a program that should have exited is killed. */
const GIVE_UP = 20_000

const NO_PRESET = { FILIGREE_ADMIN_PASSWORD: '' }

async function freshHome(): Promise<string> {
  const home = await makeHome()
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}

/** Starts the program where it is expected to fail. */
async function failing(args: string[], env: Record<string, string> = {}) {
  const run = launch(args, { env })
  const giveUp = setTimeout(() => run.child.kill('SIGKILL'), GIVE_UP)
  const code = await run.ended
  clearTimeout(giveUp)
  return { code, text: run.output() }
}

describe('the first start', () => {
  test('prints the address, the user and a random password, the second one prints no password', async () => {
    const home = await freshHome()
    const first = await startServer({ home, env: NO_PRESET })
    const password = /^ +Password: (\S+)$/m.exec(first.output())?.[1] ?? ''
    expect(first.output()).toMatch(/^ +User: +admin$/m)
    expect(first.output()).toContain(first.url)
    expect(password.length).toBeGreaterThanOrEqual(16)
    expect((await login(first, 'admin', password)).status).toBe(200)
    expect(await first.end()).toBe(0)
    const second = await startServer({ home, env: NO_PRESET })
    expect(second.output()).not.toContain(password)
    expect(second.output()).not.toMatch(/password/i)
    expect((await login(second, 'admin', password)).status).toBe(200)
    await second.stop()
  })

  test('OPS-01 generates another password each time', async () => {
    const passwords = new Set<string | undefined>()
    for (let round = 0; round < 2; round += 1) {
      const server = await startServer({ env: NO_PRESET })
      passwords.add(/^ +Password: (\S+)$/m.exec(server.output())?.[1])
      await server.stop()
    }
    expect(passwords.size).toBe(2)
  })

  test('OPS-01 AUTH-18 has no default password, and no client can create an account or choose a method', async () => {
    const server = await serve({ env: NO_PRESET })
    const body = JSON.stringify({ username: 'mine', password: 'a-long-enough-passphrase' })
    for (const path of ['/api/signup', '/api/users', '/api/settings', '/api/setup', '/setup']) {
      for (const method of ['POST', 'PUT']) {
        expect([405, 401, 404]).toContain((await call(server, path, { method, body })).status)
      }
    }
    for (const guess of ['admin', 'password', '']) expect((await login(server, 'admin', guess)).status).toBe(403)
  })

  test('uses the password in FILIGREE_ADMIN_PASSWORD and does not print it', async () => {
    const server = await serve({ env: { FILIGREE_ADMIN_PASSWORD: 'preset-by-the-host' } })
    expect((await login(server, 'admin', 'preset-by-the-host')).status).toBe(200)
    expect(server.output()).not.toContain('preset-by-the-host')
  })

  test('a preset password has no effect later', async () => {
    const home = await freshHome()
    await (await startServer({ home })).end()
    const second = await startServer({ home, env: { FILIGREE_ADMIN_PASSWORD: 'another-password' } })
    expect((await login(second, 'admin', 'another-password')).status).toBe(403)
    expect((await login(second, 'admin', ADMIN_PASSWORD)).status).toBe(200)
    await second.stop()
  })

  test('accepts a bcrypt hash and another name from File Browser installations', async () => {
    const hash = '$2b$10$9zxfQ/dFzTQZzRWYJNQZ5.6fM1EHUxDELIFQ2TJhpjrSDCgVpnMVu'
    const server = await serve({ env: { ...NO_PRESET, FB_USERNAME: 'root', FB_PASSWORD: hash } })
    expect((await login(server, 'admin', 'admin')).status).toBe(403)
    expect(server.output()).toMatch(/^ +User: +root$/m)
    expect(server.output()).not.toMatch(/Password:/)
  })

  test('refuses a preset that is not a bcrypt hash', async () => {
    const home = await freshHome()
    const args = ['--root', join(home, 'srv'), '--database', join(home, 'f.db'), '--port', '0']
    const { code, text } = await failing(args, { ...NO_PRESET, FB_PASSWORD: 'plain' })
    expect(code).toBe(1)
    expect(text).toContain('bcrypt')
  })
})

describe('a database that is lost', () => {
  async function onceStarted() {
    const home = await freshHome()
    expect(await (await startServer({ home })).end()).toBe(0)
    const database = join(home, 'f.db')
    const args = ['--root', join(home, 'srv'), '--database', database, '--port', '0']
    return { home, database, args }
  }

  test.each(['missing', 'empty'])('DB-03 and %s is not taken for a first start', async how => {
    const { home, database, args } = await onceStarted()
    for (const suffix of ['', '-wal', '-shm']) await rm(database + suffix, { force: true })
    if (how === 'empty') await writeFile(database, '')
    const before = await readdir(home)
    const { code, text } = await failing(args)
    expect(code).toBe(1)
    expect(text).toContain(database)
    expect(text).toMatch(/backup/i)
    expect(text).not.toMatch(/^\s+at .*\.ts:/m)
    expect(await readdir(home)).toEqual(before)
  })

  test('can be created again when its marker is removed, as the message says', async () => {
    const { home, database, args } = await onceStarted()
    for (const suffix of ['', '-wal', '-shm']) await rm(database + suffix, { force: true })
    const { text } = await failing(args)
    const marker = /delete (\S+) first/.exec(text)?.[1] ?? ''
    expect(existsSync(marker)).toBe(true)
    await rm(marker)
    const server = await startServer({ home })
    expect((await login(server, 'admin', ADMIN_PASSWORD)).status).toBe(200)
    await server.stop()
  })

  test('and replaced by another file is refused', async () => {
    const { database, args } = await onceStarted()
    await writeFile(database, 'this is a letter, not a database')
    const { code, text } = await failing(args)
    expect(code).toBe(1)
    expect(text).toContain(database)
    expect(await readFile(database, 'utf8')).toBe('this is a letter, not a database')
  })

  test('and truncated is refused', async () => {
    const { database, args } = await onceStarted()
    await truncate(database, 5000)
    expect((await failing(args)).code).toBe(1)
  })
})

describe('an invalid setting', () => {
  test.each([
    ['a port that is no number', ['--port', 'http']],
    ['a port out of range', ['--port', '70000']],
    ['a base URL that climbs', ['--baseURL', '/../x']],
    ['a lifetime without a unit', ['--tokenExpirationTime', '5']],
    ['a log level that does not exist', ['--logLevel', 'loud']],
    ['an unknown flag', ['--nonsense']],
    ['an unknown command', ['nonsense']],
    ['a root that does not exist', ['--root', '/never/made', '--port', '0']],
  ])('is refused with a message: %s', async (_what, args) => {
    const home = await freshHome()
    const rest = args[0] === 'nonsense' ? [] : ['--database', join(home, 'f.db')]
    const { code, text } = await failing([...args, ...rest])
    expect(code).toBe(1)
    expect(text.trim()).not.toBe('')
    expect(text).not.toMatch(/^\s+at .*(\.ts|node:)/m)
  })

  test('DB-05 a second server on the same database is refused and changes nothing, also after a kill of the first', async () => {
    const first = await serve()
    const args = ['--root', first.root, '--database', first.database, '--port', '0']
    const { code, text } = await failing(args)
    expect(code).toBe(1)
    expect(text).toContain('Another server works with')
    expect((await call(first, '/health')).status).toBe(200)
    await first.end('SIGKILL')
    const second = await serve({ home: first.home })
    expect((await call(second, '/health')).status).toBe(200)
  })

  test('OPS-10 a port that is in use is reported in a message', async () => {
    const server = await serve()
    const home = await freshHome()
    const args = ['--root', join(home, 'srv'), '--database', join(home, 'f.db'), '--port', String(server.port)]
    const { code, text } = await failing(args)
    expect(code).toBe(1)
    expect(text).toContain('--port')
    expect(text).not.toMatch(/^\s+at .*\.ts:/m)
  })
})

describe('state on disk', () => {
  test('OPS-06 is private whatever the host’s umask', async () => {
    const server = await serve({ shell: 'umask 000' })
    await signIn(server)
    const files = (await readdir(server.home)).filter(name => name.startsWith('f.db') || name.endsWith('.log'))
    expect(files.length).toBeGreaterThanOrEqual(2)
    for (const name of files) {
      const found = await stat(join(server.home, name))
      expect(`${name} ${(found.mode & 0o777).toString(8)}`).toBe(`${name} ${found.isDirectory() ? '700' : '600'}`)
    }
  })

  test('a folder created for the database is private, too', async () => {
    const home = await freshHome()
    const server = await serve({
      home,
      shell: 'umask 000',
      args: ['--database', join(home, 'state/inner/f.db')],
    })
    expect((await call(server, '/health')).status).toBe(200)
    expect((await stat(join(home, 'state/inner'))).mode & 0o777).toBe(0o700)
  })

  test('passwords are not stored in a readable form', async () => {
    const server = await serve()
    await signIn(server)
    await server.end()
    const bytes = await readFile(server.database)
    expect(bytes.includes(ADMIN_PASSWORD)).toBe(false)
    expect(bytes.includes('$argon2id$')).toBe(true)
  })
})

describe('a signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the server cleanly within seconds', async signal => {
    const server = await serve()
    await signIn(server)
    const began = performance.now()
    expect(await server.end(signal)).toBe(0)
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(existsSync(`${server.database}-wal`)).toBe(false)
  })

  test('OPS-02 lets a running download finish, and stops right after it', async () => {
    const server = await serve()
    const size = 40 * 2 ** 20
    await writeFile(join(server.root, 'big.bin'), Buffer.alloc(size, 'x'))
    const admin = await person(server)
    const socket = await openSocket(server)
    socket.write(`GET /api/raw/big.bin HTTP/1.1\r\nHost: x\r\nX-Auth: ${admin.token}\r\n\r\n`)
    let received = 0
    socket.on('data', chunk => {
      received += chunk.length
    })
    await expect.poll(() => received).toBeGreaterThan(0)
    socket.pause()
    const ended = server.end()
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.once('end', () => socket.end())
    await wait(300)
    socket.resume()
    await expect.poll(() => received).toBeGreaterThan(size)
    const complete = performance.now()
    await closed
    expect(await ended).toBe(0)
    expect(performance.now() - complete).toBeLessThan(15_000)
  })

  test('OPS-02 that is repeated after more than a second interrupts running transfers, and the database is closed', async () => {
    const server = await serve()
    const size = 40 * 2 ** 20
    await writeFile(join(server.root, 'big.bin'), Buffer.alloc(size, 'x'))
    const { token } = await person(server)
    const socket = await openSocket(server)
    socket.on('error', () => {})
    socket.write(`GET /api/raw/big.bin HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\n\r\n`)
    await new Promise(resolve => socket.once('readable', resolve))
    process.kill(server.pid, 'SIGTERM')
    await wait(1500)
    expect(await server.end()).toBe(0)
    expect(existsSync(`${server.database}-wal`)).toBe(false)
    socket.destroy()
  })

  test('CRASH-02 an upload in progress when the server is killed leaves the old file', async () => {
    const home = await freshHome()
    const server = await startServer({ home })
    await writeFile(join(server.root, 'old.txt'), 'old content')
    const token = await signIn(server)
    const socket = await openSocket(server)
    socket.on('error', () => {})
    const request = `POST /api/resources/old.txt?override=true HTTP/1.1\r\nHost: x\r\nX-Auth: ${token}\r\n`
    socket.write(`${request}Content-Length: 1000000\r\n\r\n${'x'.repeat(500_000)}`)
    await expect.poll(() => entriesIn(server.root, server)).toBe(2)
    expect(await server.end('SIGKILL')).toBe('SIGKILL')
    expect(await readFile(join(server.root, 'old.txt'), 'utf8')).toBe('old content')
    const again = await startServer({ home })
    const listing = await (await person(again)).get('/')
    expect(JSON.parse(listing.text).items.map((item: { name: string }) => item.name)).toEqual(['old.txt'])
    await again.stop()
  })
})

test('the server listens on the given address and on no other', async () => {
  const server = await serve()
  const others = execFileSync('hostname', ['-I']).toString().trim().split(/\s+/).filter(Boolean)
  for (const address of others.filter(text => text.includes('.'))) {
    await expect(openSocket({ host: address, port: server.port })).rejects.toThrow('ECONNREFUSED')
  }
  expect((await call(server, '/health')).status).toBe(200)
})

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { request as plainRequest } from 'node:http'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import { login } from '../api/client.ts'
import { launch, startServer } from '../api/harness.ts'
import { openConsole, serveOnce } from './console.ts'

/** Starts a server where the harness would add flags of its own, or not understand the URL. */
async function listening(home: string, ...flags: string[]) {
  const run = launch(['--database', join(home, 'f.db'), '--log', join(home, 'log'), ...flags], {
    shell: `cd '${home}'`,
  })
  onTestFinished(async () => {
    run.child.kill('SIGTERM')
    await run.ended
  })
  const find = () => /^ +at (\S+)$/m.exec(run.output())?.[1]
  const ended = run.ended.then(code => Promise.reject(new Error(`It ended with ${code}: ${run.output()}`)))
  ended.catch(() => {})
  await Promise.race([expect.poll(find).toBeDefined(), ended])
  return { run, address: find() ?? '' }
}

function statusOver(socketPath: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    plainRequest({ socketPath, path: '/health' }, response => resolve(response.resume().statusCode))
      .once('error', reject)
      .end()
  })
}

describe('a unix socket', () => {
  test('is created with the requested mode, and is deleted with the server', async () => {
    const { home } = await openConsole()
    const socket = join(home, 's')
    const { run, address } = await listening(home, '--socket', socket, '--socketPerm', '0600')
    expect(address).toBe(`unix:${socket}`)
    await expect.poll(async () => (await stat(socket)).mode & 0o777).toBe(0o600)
    expect(await statusOver(socket)).toBe(200)
    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(existsSync(socket)).toBe(false)
  })

  test('left behind by a killed server is replaced', async () => {
    const { home } = await openConsole()
    const socket = join(home, 's')
    const first = await listening(home, '--socket', socket)
    first.run.child.kill('SIGKILL')
    await first.run.ended
    expect(existsSync(socket)).toBe(true)
    await listening(home, '--socket', socket)
    expect(await statusOver(socket)).toBe(200)
  })

  test('that is in use, and a file of that name, are left alone', async () => {
    const shell = await openConsole()
    const socket = join(shell.home, 's')
    const other = createServer().listen(socket)
    onTestFinished(() => void other.close())
    await new Promise(resolve => other.once('listening', resolve))
    expect(await shell.refused('--socket', socket)).toContain('already in use')
    await writeFile(join(shell.home, 'file'), 'mine')
    expect(await shell.refused('--socket', join(shell.home, 'file'))).toContain('already in use')
    expect(existsSync(join(shell.home, 'file'))).toBe(true)
  })
})

describe('a certificate', () => {
  function makeCertificate(home: string) {
    const files = { cert: join(home, 'c.pem'), key: join(home, 'k.pem') }
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
    const named = ['-subj', '/CN=localhost', '-keyout', files.key, '-out', files.cert]
    execFileSync('openssl', [...made, ...named], { stdio: 'ignore' })
    return files
  }

  test('HDR-02 enables HTTPS, with secure cookies', async () => {
    const { home } = await openConsole()
    const { cert, key } = makeCertificate(home)
    const { address } = await listening(home, '-t', cert, '-k', key, '-p', '0')
    expect(address).toMatch(/^https:/)
    const body = JSON.stringify({ username: 'admin', password: 'a-long-enough-passphrase' })
    const cookies = await new Promise<string[] | undefined>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
      request(`${address}api/login`, { method: 'POST', rejectUnauthorized: false, headers }, response =>
        resolve(response.resume().headers['set-cookie']),
      )
        .once('error', reject)
        .end(body)
    })
    expect(cookies?.join()).toContain('Secure')
  })

  test('is used with TLS 1.2 or newer', async () => {
    const { home } = await openConsole()
    const { cert, key } = makeCertificate(home)
    const { address } = await listening(home, '-t', cert, '-k', key, '-p', '0')
    const port = Number(new URL(address).port)
    const speaks = (version: 'TLSv1.1' | 'TLSv1.2') =>
      new Promise<boolean>(resolve => {
        const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT:@SECLEVEL=0' } as const
        const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...old })
        socket.once('secureConnect', () => resolve(true)).once('error', () => resolve(false))
        socket.once('secureConnect', () => socket.destroy())
      })
    expect(await speaks('TLSv1.2')).toBe(true)
    expect(await speaks('TLSv1.1')).toBe(false)
  })

  test('that is invalid or missing stops the start with a message', async () => {
    const shell = await openConsole()
    await writeFile(join(shell.home, 'c.pem'), 'no certificate')
    expect(await shell.refused('-t', 'c.pem', '-k', 'c.pem')).toContain('for HTTPS')
    expect(await shell.refused('-t', 'none.pem', '-k', 'c.pem')).toContain('for HTTPS')
    expect(await shell.refused('-t', 'c.pem')).toContain('needs both')
  })
})

describe('starting', () => {
  test('serves what config init stored, and commands use the folder that was served last', async () => {
    const shell = await openConsole()
    const root = join(shell.home, 'files')
    await mkdir(root)
    const stored = ['--root', root, '--baseURL', '/stored', '--tokenExpirationTime', '1h']
    await shell.ok('config', 'init', '-d', 'f.db', ...stored)
    const { address } = await listening(shell.home, '--port', '0')
    expect(address).toMatch(/^http:.*\/stored\/$/)
    await shell.ok('config', 'set', '-d', 'f.db', '--root=')
    await shell.ok('users', 'add', 'bob', 'violet harbour 41', '--scope', '/bob', '-d', 'f.db')
    expect(existsSync(join(root, 'bob'))).toBe(true)
  })

  test('with noauth signs every client in, and only the first start decides that', async () => {
    const server = await serveOnce({ args: ['--noauth'] })
    expect((await login(server, '', '')).status).toBe(200)
    const { home } = await openConsole()
    expect(await (await startServer({ home })).end()).toBe(0)
    const strict = await serveOnce({ home, args: ['--noauth'] })
    expect((await login(strict, '', '')).status).toBe(403)
  })

  test('AUTH-15 with noauth is refused beyond this machine unless it is confirmed', async () => {
    const shell = await openConsole()
    await shell.ok('config', 'init', '-d', 'f.db', '--root', shell.home, '--auth.method', 'noauth')
    const sentence = await shell.refused('-d', 'f.db', '--address', '0.0.0.0', '--port', '0')
    expect(sentence).toContain('without a password')
    expect(sentence).toContain('--noauth')
    const { address } = await listening(shell.home, '-d', 'f.db', '--port', '0')
    expect(address).toMatch(/^http:/)
  })

  test('reads a configuration file, and stops at an invalid one', async () => {
    const shell = await openConsole()
    await writeFile(join(shell.home, '.filigree.toml'), 'port = "many"\n')
    expect(await shell.refused()).toContain('port must be a number')
    await writeFile(join(shell.home, '.filigree.toml'), 'port = \n')
    expect(await shell.refused()).toContain('.filigree.toml cannot be used')
    expect(await shell.refused('-c', 'none.yaml')).toContain('does not exist')
  })

  test('LINK-10 warns of previews and a database in the served folder, under any name', async () => {
    const { home } = await openConsole()
    const root = join(home, 'files')
    await mkdir(root)
    await symlink(root, join(home, 'alias'))
    const odd = await serveOnce({
      home,
      root,
      args: ['--cacheDir', join(home, 'alias/small'), '-d', join(root, 'f.db')],
    })
    expect(odd.output()).toMatch(/previews in .*alias\/small are inside the served folder/)
    expect(odd.output()).toMatch(/database .*f\.db is inside the served folder/)
    const usual = await serveOnce({ args: ['--cacheDir', join(home, 'files-cache')] })
    expect(usual.output()).not.toContain('served folder')
  })

  test('reports settings that have no effect and risky ones, and continues', async () => {
    const server = await serveOnce({ args: ['--redisCacheUrl', 'x'], env: { FB_FOLLOW_EXTERNAL_SYMLINKS: 'true' } })
    expect(server.output()).toContain('redisCacheUrl has no effect')
    expect(server.output()).toContain('Symbolic links out of a scope are followed')
  })
})

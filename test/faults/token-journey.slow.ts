import { execFile, spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { manager, perm, send } from '../api/accounts.ts'
import { Authenticator } from '../api/authenticator.ts'
import { call, claimsOf, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { providerAt, sessionFrom, withProviders } from '../oidc/sign-in.ts'
import { report } from './report.ts'

const run = promisify(execFile)
const FILES = 1000
/** Within which programs are refused once their token has ended, in milliseconds. */
const AT_ONCE = 1000

test.runIf(spawnSync('rclone', ['version'], { stdio: 'ignore' }).status === 0)(
  'with a passkey and without a password, curl and rclone work with API tokens, a token to read writes nothing, and all end with their token at once',
  async () => {
    const provider = await startFalseProvider()
    const own = await serve(withProviders([providerAt(provider.issuer)], { args: ['--dav', 'on'] }))
    // Passkeys need the name of a host.
    const server = { ...own, url: own.url.replace('127.0.0.1', 'localhost') }
    const session = await sessionFrom(server, provider)
    const { id, username } = claimsOf(session).user
    const admin = await manager(server)
    await admin.update(id, ['perm'], { perm: perm('create', 'modify', 'rename', 'delete', 'share', 'download') })
    const post = async (path: string, body: object) => json(await send(server, 'POST', path, session, body))
    const { ticket, options } = await post('/api/account/passkeys/options', {})
    const response = new Authenticator(new URL(server.url).origin).create(options)
    await post('/api/account/passkeys', { ticket, label: 'Key', response })
    const make = (scope: string) => post('/api/tokens', { label: scope, scopes: [scope] })
    const [writing, reading] = [await make('write'), await make('read')]

    const curl = (secret: string, ...args: string[]) =>
      spawnSync('curl', ['-s', '-w', '\n%{http_code}', '-u', `${username}:${secret}`, ...args], {
        encoding: 'utf8',
      }).stdout.split(/\n(?=\d+$)/)
    const resource = `${server.url}/api/resources/up.txt`
    expect(curl(writing.token, '--data-binary', 'sent by curl', resource)[1]).toBe('200')
    expect(curl(writing.token, `${server.url}/api/resources/`)[0]).toContain('"up.txt"')
    expect(curl(writing.token, `${server.url}/api/raw/up.txt`)).toEqual(['sent by curl', '200'])

    const [here, back, settings] = ['here', 'back', 'rclone.conf'].map(name => join(server.home, name)) as [
      string,
      string,
      string,
    ]
    await mkdir(here)
    for (let file = 0; file < FILES; file += 1) await writeFile(join(here, `${file}.txt`), `content ${file}`)
    const rclone = (...args: string[]) =>
      run('rclone', [...args, '--config', settings, '--retries', '1', '--stats', '0'])
    const how = [`url=${server.url}/dav/`, 'vendor=owncloud', `user=${username}`, `pass=${writing.token}`, '--obscure']
    await rclone('config', 'create', 'files', 'webdav', ...how)
    await rclone('sync', here, 'files:tree')
    await rclone('sync', 'files:tree', back)
    expect(await readFile(join(back, `${FILES - 1}.txt`), 'utf8')).toBe(`content ${FILES - 1}`)
    for (const [from, to] of [
      [here, 'files:tree'],
      ['files:tree', back],
    ] as const)
      expect((await rclone('sync', from, to, '-v')).stderr).not.toMatch(/Copied|Deleted|Updated|Moved/)
    await rclone('check', '--download', back, 'files:tree')

    const writes: [string, string, string[]?][] = [
      ['POST', '/api/resources/new.txt', ['--data-binary', 'x']],
      ['PUT', '/api/resources/up.txt', ['--data-binary', 'x']],
      ['PATCH', '/api/resources/up.txt?action=rename&destination=%2Fother.txt'],
      ['DELETE', '/api/resources/up.txt'],
      ['POST', '/api/tus/new.txt', ['-H', 'Upload-Length: 1']],
      ['PUT', '/dav/new.txt', ['--data-binary', 'x']],
      ['MKCOL', '/dav/folder'],
      ['DELETE', '/dav/up.txt'],
      ['MOVE', '/dav/up.txt', ['-H', `Destination: ${server.url}/dav/other.txt`]],
      ['COPY', '/dav/up.txt', ['-H', `Destination: ${server.url}/dav/other.txt`]],
    ]
    for (const [method, path, more = []] of writes)
      expect([method, path, curl(reading.token, '-X', method, ...more, server.url + path)[1]]).toEqual([
        method,
        path,
        '403',
      ])
    expect(curl(reading.token, `${server.url}/api/raw/up.txt`)).toEqual(['sent by curl', '200'])

    expect((await call(server, `/api/tokens/${writing.id}`, { method: 'DELETE', token: session })).status).toBe(204)
    const began = performance.now()
    expect(curl(writing.token, resource)[1]).toBe('401')
    await expect(rclone('lsf', 'files:tree')).rejects.toThrow(/401/)
    const took = performance.now() - began
    report(`curl and rclone with a token: ${FILES} files both ways; both refused ${took.toFixed()} ms after its end`)
    expect(took).toBeLessThan(AT_ONCE)
  },
  240_000,
)

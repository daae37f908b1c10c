import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../shared/api/diagnostics.ts'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { CHEAP, EXECUTABLE, makeHome, ownDatabase, startServer } from '../api/harness.ts'

const newKey = () => randomBytes(32).toString('base64')

test('SEAL-02 secrets rekey changes the key while the server runs; diagnostics count what no key opens', async () => {
  const home = await makeHome()
  const place = { home, database: await ownDatabase(home) }
  const [old, key] = [newKey(), newKey()]
  const [both, alone] = [{ FILIGREE_SECRET_KEY: key, FILIGREE_SECRET_KEY_BEFORE: old }, { FILIGREE_SECRET_KEY: key }]
  let server = await startServer({ ...place, env: { FILIGREE_SECRET_KEY: old } })
  onTestFinished(() => server.stop())
  const startWith = async (env: Record<string, string>) => {
    await server.end()
    server = await startServer({ ...place, env })
  }
  const run = (env: Record<string, string>, ...args: string[]) => {
    const all = { ...CHEAP, PATH: process.env.PATH ?? '', HOME: home, ...env }
    const line = [EXECUTABLE, ...args, '-d', place.database]
    return spawnSync(process.execPath, line, { cwd: home, env: all, encoding: 'utf8' })
  }
  const unreadable = async (): Promise<Finding | undefined> => {
    const found: Finding[] = json(await call(server, '/api/doctor', { token: await signIn(server) }))
    return found.find(({ code }) => code === 'secretsUnreadable')
  }
  const user = await newcomer(server, await manager(server))
  const post = (path: string, body: object, token?: string) => send(server, 'POST', path, token, body)
  const { secret } = json(await post('/api/account/totp', { current_password: GOOD_PASSWORD }, user.token))
  const codeAhead = (steps: number) => {
    const now = `@${Math.floor(Date.now() / 1000) + 30 * steps}`
    return spawnSync('oathtool', ['--totp', '-b', secret, '--now', now], { encoding: 'utf8' }).stdout.trim()
  }
  expect((await post('/api/account/totp/confirm', { code: codeAhead(0) }, user.token)).status).toBe(200)
  expect(await unreadable()).toBeUndefined()

  await startWith(alone)
  const lines = ['filigree secrets rekey']
  expect(await unreadable()).toEqual({ code: 'secretsUnreadable', amount: 1, what: 'totp: 1', lines })
  const doctor = run(alone, 'doctor', '--root', server.root)
  expect(doctor.status).toBe(1)
  expect(doctor.stdout).toMatch(
    /^error +Some secrets in the database cannot be opened \(totp: 1\)\. Set secretKeyBefore/m,
  )
  const refused = run(alone, 'secrets', 'rekey')
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('Set secretKeyBefore')])
  expect(refused.stdout).toMatch(/^Authenticator apps +0 +1$/m)

  await startWith(both)
  expect(await unreadable()).toBeUndefined()
  const done = run(both, 'secrets', 'rekey')
  expect([done.status, done.stderr]).toEqual([0, ''])
  expect(done.stdout).toMatch(/^Authenticator apps +1 +0$/m)
  const audit = await call(server, '/api/audit?action=console', { token: await signIn(server) })
  expect(audit.text).toContain('secrets rekey')

  await startWith(alone)
  expect(await unreadable()).toBeUndefined()
  const entered = await post('/api/login', { username: user.name, password: GOOD_PASSWORD, otp: codeAhead(1) })
  expect(entered.status).toBe(200)
})

test('a former key that is not of 32 bytes keeps the server from its start', () => {
  const env = { PATH: process.env.PATH ?? '', FILIGREE_SECRET_KEY_BEFORE: 'c2hvcnQ=' }
  const { status, stderr } = spawnSync(process.execPath, [EXECUTABLE, 'serve', '--port', '0'], {
    env,
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([1, expect.stringContaining('must be 32 bytes in base64')])
  expect(stderr).not.toContain('c2hvcnQ')
})

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isPostgres } from '../../server/db/address.ts'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, json, type Place } from '../api/client.ts'
import { CHEAP, EXECUTABLE, makeHome, ownDatabase, type StartOptions, startServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'

const newKey = () => randomBytes(32).toString('base64')
const codeOf = (secret: string, steps: number) => {
  const now = `@${Math.floor(Date.now() / 1000) + 30 * steps}`
  return spawnSync('oathtool', ['--totp', '-b', secret, '--now', now], { encoding: 'utf8' }).stdout.trim()
}

test('MFA-09 a server with another key says that it cannot check codes, never that they are wrong, and takes recovery codes', async () => {
  const home = await makeHome()
  const place = { home, database: await ownDatabase(home) }
  const key = newKey()
  const start = (secretKey: string) => startServer({ ...place, env: { FILIGREE_SECRET_KEY: secretKey } })
  let server = await start(key)
  onTestFinished(() => server.stop())
  const post = (path: string, body: object, token?: string) => send(server, 'POST', path, token, body)
  const user = await newcomer(server, await manager(server))
  const { secret } = json(await post('/api/account/totp', { current_password: GOOD_PASSWORD }, user.token))
  const codeAhead = (steps: number) => codeOf(secret, steps)
  const confirmed = await post('/api/account/totp/confirm', { code: codeAhead(0) }, user.token)
  const codes: string[] = json(confirmed).codes
  const signIn = (otp: string) => post('/api/login', { username: user.name, password: GOOD_PASSWORD, otp })
  const works = async (from: Place, token: string) => (await call(from, '/api/resources/', { token })).status

  await server.end()
  server = await start(newKey())
  const unread = await signIn(codeAhead(1))
  expect([unread.status, unread.headers.get('x-error-code')]).toEqual([503, 'unavailable'])
  expect(await server.log()).toContain('a secret was sealed with another secretKey')
  // It does not count as a wrong code.
  for (let attempt = 0; attempt < 12; attempt += 1) expect((await signIn(codeAhead(1))).status).toBe(503)
  const entered = await signIn(codes[0] ?? '')
  expect([entered.status, await works(server, entered.text)]).toEqual([200, 200])

  await server.end()
  server = await start(key)
  expect((await signIn(codeAhead(1))).status).toBe(200)
})

describe.runIf(!isPostgres(process.env.FILIGREE_TEST_DATABASE ?? ''))('a backup that another host restores', () => {
  /** A user with an app, on a server whose database another one then has, by a backup. */
  async function moved(there: (key: string) => StartOptions['env']) {
    const key = newKey()
    const server = await serve({ env: { FILIGREE_SECRET_KEY: key } })
    const user = await newcomer(server, await manager(server))
    const { secret } = json(
      await send(server, 'POST', '/api/account/totp', user.token, { current_password: GOOD_PASSWORD }),
    )
    const confirmed = await send(server, 'POST', '/api/account/totp/confirm', user.token, { code: codeOf(secret, 0) })
    const codes: string[] = json(confirmed).codes
    const run = (...args: string[]) => {
      const env = { ...CHEAP, PATH: process.env.PATH ?? '', HOME: server.home }
      const { status, stderr } = spawnSync(process.execPath, [EXECUTABLE, ...args], { env, encoding: 'utf8' })
      expect([status, stderr]).toEqual([0, ''])
    }
    const backup = join(server.home, 'backup.db')
    run('backup', backup, '-d', server.database)
    const home = await makeHome()
    const database = join(home, 'f.db')
    run('restore', backup, '-d', database)
    const other = await serve({ home, database, env: there(key) ?? {} })
    const signIn = (otp: string) =>
      send(other, 'POST', '/api/login', undefined, { username: user.name, password: GOOD_PASSWORD, otp })
    return { other, signIn, codes, code: (steps: number) => codeOf(secret, steps) }
  }

  test('MFA-09 without the key it says so, never that a code is wrong, and takes recovery codes once', async () => {
    const { other, signIn, codes, code } = await moved(() => ({}))
    const unread = await signIn(code(1))
    expect([unread.status, unread.headers.get('x-error-code')]).toEqual([503, 'unavailable'])
    expect(await other.log()).toContain('a secret was sealed with another secretKey')
    expect((await signIn(codes[0] ?? '')).status).toBe(200)
    expect((await signIn(codes[0] ?? '')).status).toBe(403)
  })

  test('MFA-09 with the key it takes codes as before', async () => {
    const { signIn, code } = await moved(key => ({ FILIGREE_SECRET_KEY: key }))
    expect((await signIn(code(1))).status).toBe(200)
  })
})

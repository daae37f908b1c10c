import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, json, type Place } from '../api/client.ts'
import { makeHome, ownDatabase, startServer } from '../api/harness.ts'

const newKey = () => randomBytes(32).toString('base64')

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
  const codeAhead = (steps: number) => {
    const now = `@${Math.floor(Date.now() / 1000) + 30 * steps}`
    return spawnSync('oathtool', ['--totp', '-b', secret, '--now', now], { encoding: 'utf8' }).stdout.trim()
  }
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

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { setDisabled } from '../../server/features/users/users.store.ts'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { logIn } from '../ldap/sign-in.ts'

/** Attempts of each kind in a comparison, and comparisons until a difference is taken for one of the server. */
const [ATTEMPTS, COMPARISONS] = [5, 6]
/** Answers to wrong passwords come at multiples of this, in milliseconds. */
const STEP = 250

/** A server with a user who has a second factor, and a closed account. */
async function twoAccounts() {
  const server = await serve({ args: ['--trustedProxies', '127.0.0.1'] })
  const admin = await manager(server)
  const [open, closed] = [await newcomer(server, admin), await newcomer(server, admin)]
  const own = { current_password: GOOD_PASSWORD }
  const { secret } = json(await send(server, 'POST', '/api/account/totp', open.token, own))
  const code = spawnSync('oathtool', ['--totp', '-b', secret], { encoding: 'utf8' }).stdout.trim()
  expect((await send(server, 'POST', '/api/account/totp/confirm', open.token, { code })).status).toBe(200)
  const { db } = await openDb(server.database)
  await setDisabled(db, closed.id, true)
  await db.destroy()
  return { server, open, closed }
}

test('MFA-10 answers alike, and never at once, for an unknown name, a wrong password and a closed account', async () => {
  const { server, open, closed } = await twoAccounts()
  const outcome = async (username: string, password: string) => {
    const began = performance.now()
    const { status, text, headers } = await send(server, 'POST', '/api/login', undefined, { username, password })
    expect(performance.now() - began).toBeGreaterThan(STEP - 10)
    return [status, text, headers.get('x-error-code'), headers.get('x-login-ticket'), headers.get('set-cookie')]
  }
  const unknown = await outcome(`${open.name}-none`, GOOD_PASSWORD)
  expect(unknown.slice(0, 3)).toEqual([403, '403 Forbidden\n', 'wrong_credentials'])
  expect(await outcome(open.name, OTHER_PASSWORD)).toEqual(unknown)
  expect(await outcome(closed.name, GOOD_PASSWORD)).toEqual(unknown)
  expect(await outcome(closed.name, OTHER_PASSWORD)).toEqual(unknown)
})

test('MFA-10 takes the same time for an unknown name, a wrong password and a closed account', async () => {
  const { server, open, closed } = await twoAccounts()
  const kinds: readonly [string, string][] = [
    [`${open.name}-none`, GOOD_PASSWORD],
    [open.name, OTHER_PASSWORD],
    [closed.name, GOOD_PASSWORD],
  ]
  const timeOf = async ([username, password]: [string, string]) => {
    const began = performance.now()
    expect((await logIn(server, username, password)).status).toBe(403)
    return performance.now() - began
  }
  /** The largest difference between the medians of the kinds, whose attempts take turns. */
  const difference = async (): Promise<number> => {
    const times = kinds.map((): number[] => [])
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1)
      for (const [index, kind] of kinds.entries()) times[index]?.push(await timeOf(kind))
    const medians = times.map(each => each.toSorted((a, b) => a - b)[Math.floor(ATTEMPTS / 2)] ?? Number.NaN)
    return Math.max(...medians) - Math.min(...medians)
  }
  // A busy machine shifts an answer by a whole step, at random; what the server does differently returns each time.
  const found: number[] = []
  while (found.length < COMPARISONS && !found.some(each => each < STEP / 2)) found.push(await difference())
  expect(Math.min(...found)).toBeLessThan(STEP / 2)
})

test('PAT-05 an API token, and a session that it started, are refused while their account is closed', async () => {
  const server = await serve()
  const { id, name, token: session } = await newcomer(server, await manager(server))
  const body = { label: 'x', scopes: ['read'], current_password: GOOD_PASSWORD }
  const { token } = json(await send(server, 'POST', '/api/tokens', session, body))
  const started = await send(server, 'POST', '/api/login', undefined, { username: name, password: token })
  const { db } = await openDb(server.database)
  const statuses = () =>
    Promise.all(
      [token, started.text, session].map(async own => (await call(server, '/api/resources/', { token: own })).status),
    )
  expect(await statuses()).toEqual([200, 200, 200])
  await setDisabled(db, id, true)
  expect(await statuses()).toEqual([401, 401, 401])
  expect((await send(server, 'POST', '/api/login', undefined, { username: name, password: token })).status).toBe(403)
  await db.destroy()
})

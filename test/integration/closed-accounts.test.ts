import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { setDisabled } from '../../server/features/users/users.store.ts'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, send } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { serve } from '../api/instance.ts'

test('MFA-10 answers alike, and never at once, for an unknown name, a wrong password and a closed account', async () => {
  const server = await serve()
  const admin = await manager(server)
  const [open, closed] = [await newcomer(server, admin), await newcomer(server, admin)]
  const own = { current_password: GOOD_PASSWORD }
  const { secret } = json(await send(server, 'POST', '/api/account/totp', open.token, own))
  const code = spawnSync('oathtool', ['--totp', '-b', secret], { encoding: 'utf8' }).stdout.trim()
  expect((await send(server, 'POST', '/api/account/totp/confirm', open.token, { code })).status).toBe(200)
  const { db } = await openDb(server.database)
  await setDisabled(db, closed.id, true)
  await db.destroy()
  const outcome = async (username: string, password: string) => {
    const began = performance.now()
    const { status, text, headers } = await send(server, 'POST', '/api/login', undefined, { username, password })
    // Answers come at multiples of 250 ms.
    expect(performance.now() - began).toBeGreaterThan(240)
    return [status, text, headers.get('x-error-code'), headers.get('x-login-ticket'), headers.get('set-cookie')]
  }
  const unknown = await outcome(`${open.name}-none`, GOOD_PASSWORD)
  expect(unknown.slice(0, 3)).toEqual([403, '403 Forbidden\n', 'wrong_credentials'])
  expect(await outcome(open.name, OTHER_PASSWORD)).toEqual(unknown)
  expect(await outcome(closed.name, GOOD_PASSWORD)).toEqual(unknown)
  expect(await outcome(closed.name, OTHER_PASSWORD)).toEqual(unknown)
})

import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'

describe.runIf(hasPostgres)('servers on PostgreSQL with a user who has a second factor', async () => {
  const postgres = await sharedPostgres()
  const database = await postgres.make()
  const one = await serve({ database })
  const other = await serve({ database, root: one.root })
  const { token, name } = await newcomer(one, await manager(one))
  const { secret } = json(await send(one, 'POST', '/api/account/totp', token, { current_password: GOOD_PASSWORD }))
  const codeOf = (ahead: number) => {
    const at = `@${Math.floor(Date.now() / 1000) + 30 * ahead}`
    return spawnSync('oathtool', ['--totp', '-b', secret, '--now', at], { encoding: 'utf8' }).stdout.trim()
  }
  const { codes } = json(await send(one, 'POST', '/api/account/totp/confirm', token, { code: codeOf(0) }))
  const atOnce = async (otp: string) => {
    const body = { username: name, password: GOOD_PASSWORD, otp }
    const answers = await Promise.all([one, other].map(place => send(place, 'POST', '/api/login', undefined, body)))
    return answers.map(({ status }) => status).sort()
  }

  test('MFA-03 take one code once, also both at the same time', async () => {
    expect(await atOnce(codeOf(1))).toEqual([200, 403])
  })

  test('MFA-04 take one recovery code once, also both at the same time', async () => {
    expect(await atOnce(codes[0])).toEqual([200, 403])
    expect(await atOnce(codes[0])).toEqual([403, 403])
  })
})

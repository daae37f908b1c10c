import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { hashSync } from 'bcryptjs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changeUser } from '../../users/accounts.ts'
import { findUserByName, rehashPassword } from '../../users/users.store.ts'
import { conformance } from '../conformance.ts'
import { type AuthFixture, attempt, openFixture, RIGHT, settingsOf } from '../test-fixture.ts'
import { passwordMethod, userByPassword } from './password.ts'

conformance('password', async ({ db }) => ({
  method: passwordMethod(db),
  settings: settingsOf({}),
  good: attempt('ann', RIGHT),
  bad: attempt('ann', 'wrong'),
  unknown: attempt('nobody', 'wrong'),
}))

conformance('password where only administrators may', async ({ db }) => ({
  method: passwordMethod(db, { hasProviders: true }),
  settings: settingsOf({ passwordLogin: 'admins' }),
  user: 'admin',
  good: attempt('admin', RIGHT),
  // A right password of a user who may not sign in with it, and a wrong one.
  bad: attempt('ann', RIGHT),
  unknown: attempt('ann', 'wrong'),
}))

test('OIDC-06 the right password is refused where passwords are closed, and its hash stays', async () => {
  const fixture = await openFixture()
  const old = hashSync(RIGHT, 4)
  await fixture.db.updateTable('users').set({ password_hash: old }).execute()
  const settings = settingsOf({ passwordLogin: 'nobody' })
  const method = passwordMethod(fixture.db, { hasProviders: true })
  for (const name of ['admin', 'ann'])
    await expect(method.authenticate(attempt(name, RIGHT), settings)).rejects.toMatchObject({
      code: 'wrong_credentials',
    })
  expect((await findUserByName(fixture.db, 'ann'))?.passwordHash).toBe(old)
  await fixture.close()
})

describe('an imported hash', () => {
  let fixture: AuthFixture
  beforeEach(async () => {
    fixture = await openFixture()
    const old = hashSync(RIGHT, 4)
    await fixture.db.updateTable('users').set({ password_hash: old }).where('username', '=', 'ann').execute()
  })
  afterEach(() => fixture.close())
  const ann = async () => findUserByName(fixture.db, 'ann')

  test('AUTH-11 is replaced by a new hash at the first sign-in', async () => {
    await userByPassword(fixture.db, 'ann', RIGHT)
    expect((await ann())?.passwordHash).toMatch(/^\$argon2id\$/)
    await userByPassword(fixture.db, 'ann', RIGHT)
  })

  test('does not replace a password that was changed concurrently', async () => {
    const before = await ann()
    if (!before) throw new Error('ann is missing')
    await changeUser(fixture, before.id, { passwordHash: 'the new one' })
    await rehashPassword(fixture.db, before, 'the old one, rehashed')
    expect((await ann())?.passwordHash).toBe('the new one')
  })
})

describe('a captcha', () => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  /** A captcha service with the given answer, which records its requests. */
  async function service(answer: (response: ServerResponse, request: IncomingMessage) => void) {
    const asked: string[] = []
    const server = createServer((request, response) => {
      void text(request).then(body => {
        asked.push(`${request.url} ${body}`)
        answer(response, request)
      })
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    closers.push(
      () => server.closeAllConnections(),
      () => server.close(),
    )
    return { asked, host: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
  }

  async function signIn(host: string, recaptcha: string) {
    const fixture: AuthFixture = await openFixture()
    closers.push(() => fixture.close())
    const settings = settingsOf({ recaptcha: { host, key: 'site', secret: 'hush' } })
    return passwordMethod(fixture.db).authenticate(attempt('ann', RIGHT, { recaptcha }), settings)
  }

  test('accepts the right password with a right answer', async () => {
    const { asked, host } = await service(response => response.end('{"success":true}'))
    expect((await signIn(host, 'i am human')).username).toBe('ann')
    expect(asked).toEqual(['/recaptcha/api/siteverify secret=hush&response=i+am+human'])
  })

  test.each([
    ['a refusal', 200, '{"success":false}'],
    ['a text that only resembles true', 200, '{"success":"true"}'],
    ['null', 200, 'null'],
    ['an error page', 500, '{"success":true}'],
    ['a redirect', 302, '{"success":true}'],
  ])('service that answers with %s refuses the sign-in', async (_what, status, body) => {
    const { host } = await service(response => response.writeHead(status, { Location: '/elsewhere' }).end(body))
    await expect(signIn(host, 'x')).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test('without an answer fails without a request to the service', async () => {
    const { asked, host } = await service(response => response.end('{"success":true}'))
    await expect(signIn(host, '')).rejects.toMatchObject({ code: 'wrong_credentials' })
    expect(asked).toEqual([])
  })

  test('service that cannot be reached refuses the sign-in', async () => {
    await expect(signIn('http://127.0.0.1:1', 'x')).rejects.toMatchObject({ code: 'unavailable' })
    const { host } = await service(response => response.end('no json'))
    await expect(signIn(host, 'x')).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('AUTH-13 service that never answers refuses the sign-in within seconds', async () => {
    const { host } = await service(() => {})
    const began = performance.now()
    await expect(signIn(host, 'x')).rejects.toMatchObject({ code: 'unavailable' })
    expect(performance.now() - began).toBeLessThan(8000)
  })
})

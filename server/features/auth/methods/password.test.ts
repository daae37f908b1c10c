import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { hashSync } from 'bcryptjs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changeUser } from '../../users/accounts.ts'
import { findUserByName, rehashPassword } from '../../users/users.store.ts'
import { conformance } from '../conformance.ts'
import { attempt, type Ground, openGround, RIGHT, settingsOf } from '../test-ground.ts'
import { passwordMethod, userByPassword } from './password.ts'

conformance('password', async ({ db }) => ({
  method: passwordMethod(db),
  settings: settingsOf({}),
  good: attempt('ann', RIGHT),
  bad: attempt('ann', 'wrong'),
  unknown: attempt('nobody', 'wrong'),
}))

describe('an imported hash', () => {
  let ground: Ground
  beforeEach(async () => {
    ground = await openGround()
    const old = hashSync(RIGHT, 4)
    await ground.db.updateTable('users').set({ password_hash: old }).where('username', '=', 'ann').execute()
  })
  afterEach(() => ground.close())
  const ann = async () => findUserByName(ground.db, 'ann')

  test('AUTH-11 is made anew at the first sign-in', async () => {
    await userByPassword(ground.db, 'ann', RIGHT)
    expect((await ann())?.passwordHash).toMatch(/^\$argon2id\$/)
    await userByPassword(ground.db, 'ann', RIGHT)
  })

  test('does not come back when the password is changed meanwhile', async () => {
    const before = await ann()
    if (!before) throw new Error('ann is missing')
    await changeUser(ground, before.id, { passwordHash: 'the new one' })
    await rehashPassword(ground.db, before, 'the old one, made anew')
    expect((await ann())?.passwordHash).toBe('the new one')
  })
})

describe('a captcha', () => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  /** A captcha service that answers as told and remembers what it was asked. */
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
    const ground: Ground = await openGround()
    closers.push(() => ground.close())
    const settings = settingsOf({ recaptcha: { host, key: 'site', secret: 'hush' } })
    return passwordMethod(ground.db).authenticate(attempt('ann', RIGHT, { recaptcha }), settings)
  }

  test('that is right lets the right password in', async () => {
    const { asked, host } = await service(response => response.end('{"success":true}'))
    expect((await signIn(host, 'i am human')).username).toBe('ann')
    expect(asked).toEqual(['/recaptcha/api/siteverify secret=hush&response=i+am+human'])
  })

  test.each([
    ['a refusal', 200, '{"success":false}'],
    ['a text that only looks true', 200, '{"success":"true"}'],
    ['null', 200, 'null'],
    ['an error page', 500, '{"success":true}'],
    ['a redirect', 302, '{"success":true}'],
  ])('service that answers with %s lets nobody in', async (_what, status, body) => {
    const { host } = await service(response => response.writeHead(status, { Location: '/elsewhere' }).end(body))
    await expect(signIn(host, 'x')).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test('that was not given is wrong without asking anybody', async () => {
    const { asked, host } = await service(response => response.end('{"success":true}'))
    await expect(signIn(host, '')).rejects.toMatchObject({ code: 'wrong_credentials' })
    expect(asked).toEqual([])
  })

  test('service that cannot be asked lets nobody in', async () => {
    await expect(signIn('http://127.0.0.1:1', 'x')).rejects.toMatchObject({ code: 'unavailable' })
    const { host } = await service(response => response.end('no json'))
    await expect(signIn(host, 'x')).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('AUTH-13 service that never answers lets nobody in, within seconds', async () => {
    const { host } = await service(() => {})
    const began = performance.now()
    await expect(signIn(host, 'x')).rejects.toMatchObject({ code: 'unavailable' })
    expect(performance.now() - began).toBeLessThan(8000)
  })
})

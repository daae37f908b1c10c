import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SettingsInput } from '../../../../shared/api/settings.ts'
import { parsePath } from '../../../../shared/path.ts'
import { completeSettings } from '../../settings/complete.ts'
import { writeSettings } from '../../settings/settings.store.ts'
import { countUsers, findUserByName } from '../../users/users.store.ts'
import { conformance } from '../conformance.ts'
import type { LoginAttempt } from '../method.ts'
import { type AuthFixture, attempt, openFixture, settingsOf } from '../test-fixture.ts'
import { proxyMethod } from './proxy.ts'

const HEADER = 'X-Remote-User'
const named = (name: string, more: Partial<LoginAttempt> = {}) =>
  attempt('', '', { rawHeaders: [HEADER, name], ...more })

conformance('proxy', async fixture => ({
  method: proxyMethod(fixture),
  settings: settingsOf({ method: 'proxy', header: HEADER, createUsers: false }),
  good: named('ann'),
  bad: named('ann', { peer: '192.168.0.1' }),
  unknown: named('nobody'),
}))

let fixture: AuthFixture
beforeEach(async () => {
  fixture = await openFixture()
})
afterEach(() => fixture.close())
const judge = (from: LoginAttempt, overrides: object = {}) =>
  proxyMethod(fixture).authenticate(from, settingsOf({ method: 'proxy', header: HEADER, ...overrides }))

describe('a proxy is trusted', () => {
  test.each(['10.0.0.1', '10.255.255.255', '::ffff:10.0.0.1'])('from %s', async peer => {
    expect((await judge(named('ann', { peer }))).username).toBe('ann')
  })

  test.each(['x-remote-user', 'X-REMOTE-USER'])('when it sends the header %s', async header => {
    expect((await judge(attempt('', '', { rawHeaders: ['Host', 'x', header, ' ann '] }))).username).toBe('ann')
  })
})

describe('the sign-in is refused when', () => {
  test.each(['11.0.0.1', '127.0.0.1', '::1', '::ffff:11.0.0.1', '', 'nonsense'])('from %j', async peer => {
    await expect(judge(named('ann', { peer }))).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test.each([
    ['the header is missing', ['Host', 'x']],
    ['the header is empty', [HEADER, '']],
    ['the header is repeated', [HEADER, 'ann', HEADER, 'ann']],
    ['the header is repeated in two spellings', [HEADER, 'ann', 'x-remote-user', 'admin']],
    ['the header holds two names', [HEADER, 'ann, admin']],
    ['the header is spelled with an underscore', ['X_Remote_User', 'ann']],
    ['the name is the value of another header', ['X-Other', HEADER, 'ann', 'x']],
    ['the name is not UTF-8', [HEADER, 'ann\xff']],
  ])('when %s', async (_what, rawHeaders) => {
    await expect(judge(attempt('ann', 'x', { rawHeaders }))).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test('no header is set, or no proxy is trusted', async () => {
    await expect(judge(named('ann'), { header: '' })).rejects.toMatchObject({ code: 'wrong_credentials' })
    fixture.config.trustedProxies = []
    await expect(judge(named('ann'))).rejects.toMatchObject({ code: 'wrong_credentials' })
  })
})

describe('a first visit', () => {
  test('HOME-02 creates an account with a home, a locked password and no dangerous permission', async () => {
    const dangerous = { perm: { admin: true, execute: true, create: true }, commands: ['sh'], scope: '.' }
    await writeSettings(fixture.db, completeSettings(SettingsInput.parse({ defaults: dangerous })))
    const user = await judge(named(Buffer.from('zoë').toString('latin1')))
    expect(user).toMatchObject({ username: 'zoë', lockPassword: true, scope: '/users/zo-', commands: [] })
    expect(user.perm).toMatchObject({ admin: false, execute: false, create: true })
    expect((await fixture.storage.stat(parsePath('/users/zo-')))?.kind).toBe('folder')
  })

  test('HOME-01 fifty concurrent sign-ins create one account', async () => {
    const users = await Promise.all(Array.from({ length: 50 }, () => judge(named('newcomer'))))
    expect(new Set(users.map(user => user.id)).size).toBe(1)
    expect(await countUsers(fixture.db)).toBe(3)
  })

  test('a name whose home belongs to another user creates no account', async () => {
    await judge(named('team-x'))
    await expect(judge(named('TEAM-X'))).rejects.toMatchObject({ code: 'exists' })
    expect(await findUserByName(fixture.db, 'TEAM-X')).toBeUndefined()
  })

  test.each(['../admin', 'a/b', '..', '.x', 'x\\y'])('the name %j creates no account', async name => {
    await expect(judge(named(name))).rejects.toMatchObject({ code: 'bad_request' })
    expect(await countUsers(fixture.db)).toBe(2)
  })
})

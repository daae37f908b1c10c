import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SettingsInput } from '../../../../shared/api/settings.ts'
import { parsePath } from '../../../../shared/path.ts'
import { completeSettings } from '../../settings/complete.ts'
import { writeSettings } from '../../settings/settings.store.ts'
import { countUsers, findUserByName } from '../../users/users.store.ts'
import { conformance } from '../conformance.ts'
import type { LoginAttempt } from '../method.ts'
import { attempt, type Ground, openGround, settingsOf } from '../test-ground.ts'
import { proxyMethod } from './proxy.ts'

const HEADER = 'X-Remote-User'
const named = (name: string, more: Partial<LoginAttempt> = {}) =>
  attempt('', '', { rawHeaders: [HEADER, name], ...more })

conformance('proxy', async ground => ({
  method: proxyMethod(ground),
  settings: settingsOf({ method: 'proxy', header: HEADER, createUsers: false }),
  good: named('ann'),
  bad: named('ann', { peer: '192.168.0.1' }),
  unknown: named('nobody'),
}))

let ground: Ground
beforeEach(async () => {
  ground = await openGround()
})
afterEach(() => ground.close())
const judge = (from: LoginAttempt, wishes: object = {}) =>
  proxyMethod(ground).authenticate(from, settingsOf({ method: 'proxy', header: HEADER, ...wishes }))

describe('a proxy is believed', () => {
  test.each(['10.0.0.1', '10.255.255.255', '::ffff:10.0.0.1'])('from %s', async peer => {
    expect((await judge(named('ann', { peer }))).username).toBe('ann')
  })

  test.each(['x-remote-user', 'X-REMOTE-USER'])('when it spells the header %s', async header => {
    expect((await judge(attempt('', '', { rawHeaders: ['Host', 'x', header, ' ann '] }))).username).toBe('ann')
  })
})

describe('nobody gets in', () => {
  test.each(['11.0.0.1', '127.0.0.1', '::1', '::ffff:11.0.0.1', '', 'nonsense'])('from %j', async peer => {
    await expect(judge(named('ann', { peer }))).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test.each([
    ['the header is missing', ['Host', 'x']],
    ['the header is empty', [HEADER, '']],
    ['the header came twice', [HEADER, 'ann', HEADER, 'ann']],
    ['the header came in two spellings', [HEADER, 'ann', 'x-remote-user', 'admin']],
    ['the header lists two names', [HEADER, 'ann, admin']],
    ['the header is spelled with an underscore', ['X_Remote_User', 'ann']],
    ['the name is the value of another header', ['X-Other', HEADER, 'ann', 'x']],
    ['the name is no UTF-8', [HEADER, 'ann\xff']],
  ])('when %s', async (_what, rawHeaders) => {
    await expect(judge(attempt('ann', 'x', { rawHeaders }))).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test('when no header is set, or no proxy is trusted', async () => {
    await expect(judge(named('ann'), { header: '' })).rejects.toMatchObject({ code: 'wrong_credentials' })
    ground.config.trustedProxies = []
    await expect(judge(named('ann'))).rejects.toMatchObject({ code: 'wrong_credentials' })
  })
})

describe('a first visit', () => {
  test('HOME-02 makes an account with a home, a locked password and no dangerous right', async () => {
    const dangerous = { perm: { admin: true, execute: true, create: true }, commands: ['sh'], scope: '.' }
    await writeSettings(ground.db, completeSettings(SettingsInput.parse({ defaults: dangerous })))
    const user = await judge(named(Buffer.from('zoë').toString('latin1')))
    expect(user).toMatchObject({ username: 'zoë', lockPassword: true, scope: '/users/zo-', commands: [] })
    expect(user.perm).toMatchObject({ admin: false, execute: false, create: true })
    expect((await ground.storage.stat(parsePath('/users/zo-')))?.kind).toBe('folder')
  })

  test('HOME-01 fifty times at once makes one account', async () => {
    const users = await Promise.all(Array.from({ length: 50 }, () => judge(named('newcomer'))))
    expect(new Set(users.map(user => user.id)).size).toBe(1)
    expect(await countUsers(ground.db)).toBe(3)
  })

  test('by a name whose home is somebody’s makes none', async () => {
    await judge(named('team-x'))
    await expect(judge(named('TEAM-X'))).rejects.toMatchObject({ code: 'exists' })
    expect(await findUserByName(ground.db, 'TEAM-X')).toBeUndefined()
  })

  test.each(['../admin', 'a/b', '..', '.x', 'x\\y'])('by the name %j makes none', async name => {
    await expect(judge(named(name))).rejects.toMatchObject({ code: 'bad_request' })
    expect(await countUsers(ground.db)).toBe(2)
  })
})

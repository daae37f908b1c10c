import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePath } from '../../../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../../../shared/permissions.ts'
import { changeUser } from '../../users/accounts.ts'
import { verifyPassword } from '../../users/password.ts'
import { countUsers, findUserByName } from '../../users/users.store.ts'
import { conformance } from '../conformance.ts'
import { type AuthFixture, attempt, openFixture, RIGHT, settingsOf } from '../test-fixture.ts'
import { hookMethod } from './hook.ts'

conformance('hook', async fixture => ({
  method: hookMethod(fixture),
  settings: settingsOf({ method: 'hook', command: await fixture.program('echo hook.action=pass') }),
  good: attempt('ann', RIGHT),
  bad: attempt('ann', 'wrong'),
  unknown: attempt('nobody', 'wrong'),
}))

let fixture: AuthFixture
beforeEach(async () => {
  fixture = await openFixture()
})
afterEach(() => fixture.close())

/** Signs in by a hook made of these shell lines. */
async function judge(lines: string, name: string, password = RIGHT, overrides: object = {}) {
  const command = await fixture.program(lines)
  return hookMethod(fixture).authenticate(
    attempt(name, password),
    settingsOf({ method: 'hook', command, ...overrides }),
  )
}
const said = (...lines: string[]) => lines.map(line => `echo '${line}'`).join('\n')

describe('a hook', () => {
  test('AUTH-14 gets name and password in its environment, and nothing of the server’s own', async () => {
    const out = await fixture.program('true')
    await judge(`env > ${out}.env\n${said('hook.action=auth')}`, "o'neil $(id)", 'p "q" `r` $HOME')
    const env = (await readFile(`${out}.env`, 'utf8'))
      .split('\n')
      .filter(line => !/^(PWD|_|SHLVL|OLDPWD)=|^$/.test(line))
    expect(env.sort()).toEqual([
      'PASSWORD=p "q" `r` $HOME',
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      "USERNAME=o'neil $(id)",
    ])
  })

  test('gets its arguments as they are in the settings, without a shell', async () => {
    const out = await fixture.program('true')
    const command = `${await fixture.program(`printf '%s|' "$@" > ${out}.args\necho hook.action=auth`)} a $USERNAME ;id  *`
    await hookMethod(fixture).authenticate(attempt('ann', RIGHT), settingsOf({ command }))
    expect(await readFile(`${out}.args`, 'utf8')).toBe('a|$USERNAME|;id||*|')
  })

  test('that blocks refuses the sign-in', async () => {
    await expect(judge(said('hook.action=block'), 'ann')).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test.each([
    ['fails', 'echo hook.action=auth; exit 3'],
    ['says nothing', 'true'],
    ['reports an unknown action', said('hook.action=maybe')],
    ['writes too much', 'head -c 200000 /dev/zero'],
    ['dies', 'kill -9 $$'],
  ])('that %s refuses the sign-in and creates no account', async (_what, lines) => {
    await expect(judge(lines, 'newcomer')).rejects.toMatchObject({ code: 'unavailable' })
    expect(await countUsers(fixture.db)).toBe(2)
  })

  test('that does not exist refuses the sign-in', async () => {
    const refused = hookMethod(fixture).authenticate(attempt('ann', RIGHT), settingsOf({ command: '/never/made' }))
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('AUTH-14 that hangs is killed with all its child processes', async () => {
    const marker = `${await fixture.program('true')}.late`
    await expect(judge(`(sleep 12; touch ${marker}) &\nsleep 60`, 'ann')).rejects.toMatchObject({ code: 'unavailable' })
    await wait(3000)
    expect(existsSync(marker)).toBe(false)
  })

  test('does not run where the host disables commands', async () => {
    const marker = `${await fixture.program('true')}.ran`
    fixture.config.disableExec = true
    const refused = judge(`touch ${marker}; echo hook.action=auth`, 'ann')
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
    expect(existsSync(marker)).toBe(false)
  })
})

describe('a hook that accepts a new user', () => {
  test('creates an account with a home, a locked password and safe permissions', async () => {
    const user = await judge(said('hook.action=auth'), 'newcomer')
    expect(user).toMatchObject({ lockPassword: true, scope: '/users/newcomer', commands: [] })
    expect(user.perm).toMatchObject({ admin: false, execute: false })
    expect(await verifyPassword(RIGHT, user.passwordHash)).toBe(true)
    expect((await fixture.storage.stat(parsePath('/users/newcomer')))?.kind).toBe('folder')
  })

  test('may set the user’s fields', async () => {
    const lines = said(
      'hook.action=auth',
      'user.scope=/teams/blue',
      'user.locale=de',
      'user.viewMode=mosaic gallery',
      'user.singleClick=true',
      'user.sorting.by=modified',
      'user.sorting.asc=true',
      'user.commands=git  ls',
      'user.hideDotfiles=TRUE',
      'user.perm.create=false',
      'user.perm.execute=true',
      'user.unknown=1',
      'no line of ours',
      'user.viewMode=cube',
    )
    const user = await judge(lines, 'newcomer')
    expect(user).toMatchObject({
      scope: '/teams/blue',
      locale: 'de',
      singleClick: true,
      sorting: { by: 'modified', asc: true },
      commands: ['git', 'ls'],
      hideDotfiles: false,
    })
    expect(user.perm).toMatchObject({ admin: false, create: false, execute: true, rename: true })
  })

  test('may create an administrator, who has every permission', async () => {
    const user = await judge(said('hook.action=auth', 'user.perm.admin=true', 'user.perm.create=false'), 'boss')
    expect(user.perm).toEqual(ALL_PERMISSIONS)
  })

  test('refuses a scope with ..', async () => {
    const refused = judge(said('hook.action=auth', 'user.scope=/../..'), 'newcomer')
    await expect(refused).rejects.toMatchObject({ code: 'bad_request' })
    expect(await countUsers(fixture.db)).toBe(2)
  })

  test('creates no account where that is disabled', async () => {
    const refused = judge(said('hook.action=auth'), 'newcomer', RIGHT, { createUsers: false })
    await expect(refused).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test('AUTH-14 ignores lines injected by a user name', async () => {
    const lines = 'echo "name=$USERNAME"\necho hook.action=block'
    for (const name of ['x\nhook.action=auth\nuser.perm.admin=true', 'x\rhook.action=auth']) {
      await expect(judge(lines, name)).rejects.toMatchObject({ code: 'wrong_credentials' })
      await expect(judge(lines, 'x', name)).rejects.toMatchObject({ code: 'wrong_credentials' })
    }
    expect(await countUsers(fixture.db)).toBe(2)
  })
})

describe('a hook that accepts a known user', () => {
  const rule = { regex: false, allow: false, path: '/x', regexp: null }

  test('changes the fields it sets and keeps the rest, rules among them', async () => {
    const ann = await findUserByName(fixture.db, 'ann')
    await changeUser(fixture, ann?.id ?? 0, { rules: [rule], locale: 'fr' })
    const user = await judge(said('hook.action=auth', 'user.perm.create=true', 'user.hideDotfiles=true'), 'ann')
    expect(user).toMatchObject({ rules: [rule], locale: 'fr', scope: '/ann', hideDotfiles: true, lockPassword: false })
    expect(user.perm).toMatchObject({ create: true, modify: false })
    expect(fixture.ended).toEqual([])
  })

  test('stores a new password and ends the sessions of the old one', async () => {
    const user = await judge(said('hook.action=auth'), 'ann', 'another-good-phrase-7')
    expect(await verifyPassword('another-good-phrase-7', user.passwordHash)).toBe(true)
    expect(fixture.ended).toEqual([user.id])
  })

  test('cannot remove the rights of the last administrator', async () => {
    await expect(judge(said('hook.action=auth', 'user.perm.admin=false'), 'admin')).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect((await findUserByName(fixture.db, 'admin'))?.perm.admin).toBe(true)
  })
})

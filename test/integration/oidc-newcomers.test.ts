import { spawnSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import { changeAddress } from '../../server/features/mail/addresses.store.ts'
import { setDisabled } from '../../server/features/users/users.store.ts'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, claimsOf, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { accounts, problemIn, providerAt, sessionFrom, visit, withProviders } from '../oidc/sign-in.ts'

const provider = await startFalseProvider()
const server = await serve(
  withProviders([
    providerAt(provider.issuer, { homeTemplate: '/homes/{claim:work.department}/{username}' }),
    providerAt(provider.issuer, { slug: 'shared', homeTemplate: '/teams/{claim:work.department}' }),
    providerAt(provider.issuer, { slug: 'join', linkExisting: 'verifiedEmail' }),
  ]),
)
const admin = await signIn(server)
afterEach(() => provider.reset())

let visitors = 0
/** Makes the provider send another user from now on. */
function visitor(more: Record<string, unknown>): string {
  const name = `visitor${++visitors}`
  provider.claims = { sub: `sub-${name}` }
  provider.userInfo = { sub: `sub-${name}`, preferred_username: name, ...more }
  return name
}

const foldersIn = (path: string) => readdir(join(server.root, path)).catch(() => [])

describe('OIDC-12 the folder of a newcomer by a template', () => {
  test('is made of the claims, with one name for each', async () => {
    const name = visitor({ work: { department: 'Sales & Law' } })
    const { user } = claimsOf(await sessionFrom(server, provider))
    expect(user.username).toBe(name)
    expect(json(await call(server, `/api/users/${user.id}`, { token: admin })).scope).toBe(`/homes/Sales-Law/${name}`)
    expect(await foldersIn('homes/Sales-Law')).toEqual([name])
  })

  test.each([
    ['climbs', '../../etc'],
    ['is dots', '..'],
    ['has a slash', 'a/b'],
    ['has a backslash', 'a\\b'],
    ['has a NUL', 'a\0b'],
    ['is empty', ''],
    ['is white space', '  '],
    ['is a list', ['a']],
    ['is missing', undefined],
    ['is very long', 'x'.repeat(300)],
  ])('is refused when a claim %s, and no folder is made', async (_what, department) => {
    const [before, folders] = [await accounts(server, admin), await foldersIn('homes')]
    visitor({ work: { department } })
    expect(problemIn((await visit(server, provider)).page)).toBe('bad_claims')
    expect(await accounts(server, admin)).toEqual(before)
    expect(await foldersIn('homes')).toEqual(folders)
  })

  test('is refused when it is the folder of another account, or not empty', async () => {
    visitor({ work: { department: 'north' } })
    await sessionFrom(server, provider, 'shared')
    visitor({ work: { department: 'north' } })
    expect(problemIn((await visit(server, provider, 'shared')).page)).toBe('name_taken')
    await mkdir(join(server.root, 'teams/south'), { recursive: true })
    await writeFile(join(server.root, 'teams/south/a.txt'), 'x')
    const name = visitor({ work: { department: 'south' } })
    expect(problemIn((await visit(server, provider, 'shared')).page)).toBe('name_taken')
    expect(await accounts(server, admin)).not.toContain(name)
  })
})

describe('OIDC-11 the account with the mail address of a newcomer', () => {
  /** An account here with an address that its user confirmed. */
  async function account(address: string) {
    const made = await newcomer(server, await manager(server))
    const { db } = await openDb(server.database)
    onTestFinished(() => db.destroy())
    await changeAddress(db, made.id, { address })
    return { ...made, db }
  }
  const idAfter = async () => claimsOf(await sessionFrom(server, provider, 'join')).user.id

  test('is joined where the provider vouches for it, which the audit log says', async () => {
    const { id, name } = await account('ann@example.org')
    visitor({ email: 'Ann@Example.org', email_verified: true })
    expect(await idAfter()).toBe(id)
    expect(await idAfter()).toBe(id)
    const { rows } = json(await call(server, '/api/audit?action=identity.link', { token: admin }))
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ username: name, way: 'oidc', outcome: 'done', target: 'provider:join' })
  })

  test.each([false, 'true', 1, undefined])('is not joined with email_verified: %j', async email_verified => {
    const address = `x${visitors}@example.org`
    const { id } = await account(address)
    const name = visitor({ email: address, email_verified })
    const { user } = claimsOf(await sessionFrom(server, provider, 'join'))
    expect(user).toMatchObject({ username: name })
    expect(user.id).not.toBe(id)
  })

  test('is not joined when two accounts have the address', async () => {
    const both = [await account('two@example.org'), await account('TWO@example.org')].map(({ id }) => id)
    visitor({ email: 'two@example.org', email_verified: true })
    expect(both).not.toContain(await idAfter())
  })

  test('is not joined by a second identity of the provider', async () => {
    const { id } = await account('once@example.org')
    visitor({ email: 'once@example.org', email_verified: true })
    expect(await idAfter()).toBe(id)
    visitor({ email: 'once@example.org', email_verified: true })
    expect(await idAfter()).not.toBe(id)
  })

  test('is not joined when it is an administrator, closed, or has a second factor', async () => {
    const [closed, guarded] = [await account('closed@example.org'), await account('guarded@example.org')]
    await changeAddress(closed.db, 1, { address: 'admin@example.org' })
    await setDisabled(closed.db, closed.id, true)
    const own = { current_password: GOOD_PASSWORD }
    const { secret } = json(await send(server, 'POST', '/api/account/totp', guarded.token, own))
    const code = spawnSync('oathtool', ['--totp', '-b', secret], { encoding: 'utf8' }).stdout.trim()
    expect((await send(server, 'POST', '/api/account/totp/confirm', guarded.token, { code })).status).toBe(200)
    for (const who of ['admin', 'closed', 'guarded']) {
      visitor({ email: `${who}@example.org`, email_verified: true })
      expect([1, closed.id, guarded.id]).not.toContain(await idAfter())
    }
  })
})

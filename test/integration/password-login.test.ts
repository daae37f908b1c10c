import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDb } from '../../server/db/open.ts'
import type { PasswordLogin } from '../../server/features/settings/auth-settings.ts'
import { readAuthSettings, writeAuthSettings } from '../../server/features/settings/settings.store.ts'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, perm, send } from '../api/accounts.ts'
import { type Answer, call, claimsOf, json, login } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { problemIn, providerAt, sessionFrom, visit, withProviders } from '../oidc/sign-in.ts'
import { basic } from './dav-place.ts'

const provider = await startFalseProvider()
const settings = providerAt(provider.issuer, { allow: ['the-*'], groupMap: { 'the-owners': 'owners' } })
const server = await serve(withProviders([settings]))
const alone = await serve()
const admin = await manager(server)
const { db } = await openDb(server.database)
afterAll(() => db.destroy())

const openTo = async (passwordLogin: PasswordLogin) =>
  writeAuthSettings(db, { ...(await readAuthSettings(db)), passwordLogin })
beforeEach(() => openTo('everybody'))
afterEach(() => provider.reset())

let visitors = 0
/** Makes the provider send another user from now on. */
function visitor(groups: string[]): string {
  const name = `keeper${++visitors}`
  provider.claims = { sub: `sub-${name}` }
  provider.userInfo = { sub: `sub-${name}`, preferred_username: name, groups }
  return name
}

const dav = (name: string, secret: string) =>
  call(server, '/dav/missing.txt', { headers: { Authorization: basic(name, secret) } })

/** What a client can compare: all but the id and the time of an answer. */
function told({ status, text, headers }: Answer) {
  const names = [...headers.keys()].filter(name => !['date', 'x-request-id'].includes(name))
  return { status, text, headers: names.map(name => [name, headers.get(name)]) }
}

describe('OIDC-06 passwords that are closed', () => {
  test.each(['admins', 'nobody'] as const)('have the answer of a wrong one with %s, also over WebDAV', async to => {
    const { name } = await newcomer(server, admin)
    const other = await newcomer(server, admin)
    expect((await login(server, name, GOOD_PASSWORD)).status).toBe(200)
    await openTo(to)
    const right = await login(server, name, GOOD_PASSWORD)
    expect(right.status).toBe(403)
    expect(told(right)).toEqual(told(await login(server, other.name, OTHER_PASSWORD)))
    const rightDav = await dav(name, GOOD_PASSWORD)
    expect(told(rightDav)).toEqual(told(await dav(other.name, OTHER_PASSWORD)))
    expect(rightDav.status).not.toBe(404)
  })

  test('create no accounts by sign-up', async () => {
    const { token } = admin
    const settings = json(await call(server, '/api/settings', { token }))
    await send(server, 'PUT', '/api/settings', token, { ...settings, signup: true })
    const signUp = async (username: string) =>
      (await send(server, 'POST', '/api/signup', undefined, { username, password: GOOD_PASSWORD })).status
    expect(await signUp(uniqueName('early'))).toBe(200)
    await openTo('admins')
    expect(await signUp(uniqueName('late'))).toBe(405)
    await send(server, 'PUT', '/api/settings', token, settings)
  })

  test('leave API tokens and sessions alone, and let administrators in with admins', async () => {
    const { name, token } = await newcomer(server, admin)
    const fields = { label: 'x', scopes: ['read'], current_password: GOOD_PASSWORD }
    const made = json(await send(server, 'POST', '/api/tokens', token, fields))
    await openTo('nobody')
    expect((await call(server, '/api/usage/', { token: made.token })).status).toBe(200)
    expect((await call(server, '/api/usage/', { token })).status).toBe(200)
    expect((await login(server, name, made.token)).status).toBe(200)
    expect((await dav(name, made.token)).status).toBe(404)
    expect((await login(server, 'admin', server.adminPassword)).status).toBe(403)
    await openTo('admins')
    expect((await login(server, 'admin', server.adminPassword)).status).toBe(200)
    expect((await dav('admin', server.adminPassword)).status).toBe(404)
  })

  test('let in who is an administrator by a group, with admins', async () => {
    const { id, name } = await newcomer(server, admin)
    await openTo('admins')
    expect((await login(server, name, GOOD_PASSWORD)).status).toBe(403)
    const fields = { name: 'wardens', perm: perm('admin') }
    const group = json(await send(server, 'POST', '/api/groups', admin.token, fields))
    expect((await send(server, 'PUT', `/api/groups/${group.id}/members/${id}`, admin.token, {})).status).toBe(204)
    expect((await login(server, name, GOOD_PASSWORD)).status).toBe(200)
  })

  test('are open without a provider', async () => {
    const own = await openDb(alone.database)
    await writeAuthSettings(own.db, { ...(await readAuthSettings(own.db)), passwordLogin: 'nobody' })
    await own.db.destroy()
    expect((await login(alone, 'admin', alone.adminPassword)).status).toBe(200)
  })
})

test('OIDC-06 who loses the groups at the provider administrates no more, then is refused; the break-glass account comes in', async () => {
  await send(server, 'POST', '/api/groups', admin.token, { name: 'owners', perm: perm('admin') })
  await openTo('admins')
  visitor(['the-owners', 'the-staff'])
  const isAdmin = async () => {
    const token = await sessionFrom(server, provider)
    expect((await call(server, '/api/users', { token })).status).toBe(claimsOf(token).user.perm.admin ? 200 : 403)
    return claimsOf(token).user.perm.admin
  }
  expect(await isAdmin()).toBe(true)
  provider.userInfo.groups = ['the-staff']
  expect(await isAdmin()).toBe(false)
  provider.userInfo.groups = ['others']
  expect(problemIn((await visit(server, provider)).page)).toBe('not_allowed')
  const answer = await login(server, 'admin', server.adminPassword)
  expect(answer.status).toBe(200)
  expect((await call(server, '/api/users', { token: answer.text })).status).toBe(200)
})

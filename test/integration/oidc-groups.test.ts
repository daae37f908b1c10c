import { afterEach, describe, expect, test } from 'vitest'
import { call, claimsOf, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { providerAt, sessionFrom, withProviders } from '../oidc/sign-in.ts'

const provider = await startFalseProvider()
const mapped = { groupMap: { 'the-staff': 'Staff', all: 'everyone' } }
const server = await serve(
  withProviders([
    providerAt(provider.issuer, { slug: 'mapped', ...mapped }),
    providerAt(provider.issuer, { slug: 'imported', label: 'Home', importGroups: 'all', ...mapped }),
    providerAt(provider.issuer, { slug: 'guarded', allow: ['the-*'], ...mapped }),
  ]),
)
const admin = await signIn(server)
afterEach(() => provider.reset())

let visitors = 0
/** Makes the provider send another user from now on. */
function visitor(): void {
  const name = `member${++visitors}`
  provider.claims = { sub: `sub-${name}` }
  provider.userInfo = { sub: `sub-${name}`, preferred_username: name }
}

describe('GRP-06 memberships by a provider', () => {
  const ask = (method: string, path: string, body?: object) =>
    call(server, path, { method, token: admin, ...(body && { body: JSON.stringify(body) }) })

  test('are those that the host maps, whatever the groups here are called, and are replaced at each sign-in', async () => {
    const perm = { delete: true }
    for (const name of ['staff', 'admin', 'Jos\u00e9'])
      await ask('POST', '/api/groups', { name, perm: { admin: true } })
    const [, { id: staff }] = json(await ask('GET', '/api/groups'))
    await ask('PUT', `/api/groups/${staff}`, { name: 'staff', perm })
    visitor()
    provider.userInfo.groups = ['everyone', 'all', 'admin', 'Admin', 'staff', 'The-Staff', 'Jose\u0301', 'constructor']
    const namesAfter = async () => {
      const token = await sessionFrom(server, provider, 'mapped')
      const { groups } = json(await call(server, '/api/account/access', { token }))
      return groups.map(({ name, sources }: { name: string; sources: string[] }) => [name, sources])
    }
    expect(await namesAfter()).toEqual([['everyone', []]])
    provider.userInfo.groups = ['the-staff']
    expect(await namesAfter()).toEqual([
      ['everyone', []],
      ['staff', ['provider:mapped']],
    ])
    const { id } = claimsOf(await sessionFrom(server, provider, 'mapped')).user
    expect((await ask('DELETE', `/api/groups/${staff}/members/${id}`)).status).toBe(409)
    expect((await ask('PUT', `/api/groups/${staff}/members/${id}`)).status).toBe(204)
    provider.userInfo.groups = []
    expect(await namesAfter()).toEqual([
      ['everyone', []],
      ['staff', ['manual']],
    ])
  })

  test('are those of groups that are made here where the host wants them, and never of groups that others made', async () => {
    await ask('POST', '/api/groups', { name: 'Owners', perm: { admin: true } })
    visitor()
    provider.userInfo.groups = ['Chess', 'chess', 'owners', 'Everyone', 'the-staff', '..', 'a\0b', '', 'x'.repeat(200)]
    const first = await sessionFrom(server, provider, 'imported')
    const { id } = claimsOf(first).user
    const groupsOf = async () => {
      const { groups } = json(await ask('GET', `/api/users/${id}/access`))
      return groups.map(({ name, sources }: { name: string; sources: string[] }) => [name, ...sources])
    }
    expect(claimsOf(first).user.perm.admin).toBe(false)
    expect(await groupsOf()).toEqual([['everyone'], ['staff', 'provider:imported'], ['Chess', 'provider:imported']])
    const chess = json(await ask('GET', '/api/groups')).at(-1)
    expect(chess).toMatchObject({ name: 'Chess', description: 'Home', perm: { admin: false, create: false } })
    expect((await ask('PUT', `/api/groups/${chess.id}/members/1`)).status).toBe(204)
    provider.userInfo.groups = ['Go']
    await sessionFrom(server, provider, 'imported')
    expect(await groupsOf()).toEqual([['everyone'], ['Go', 'provider:imported']])
    const { members } = json(await ask('GET', `/api/groups/${chess.id}/members`))
    expect(members.map(({ username }: { username: string }) => username)).toEqual(['admin'])
    provider.userInfo.groups = ['Go', 'Chess']
    await sessionFrom(server, provider, 'mapped')
    expect(await groupsOf()).toEqual([['everyone'], ['Go', 'provider:imported']])
  })

  test('end when the provider lets the user in no more, also for API tokens', async () => {
    visitor()
    provider.userInfo.groups = ['the-staff']
    const { id } = claimsOf(await sessionFrom(server, provider, 'guarded')).user
    const groupsOf = async () => json(await ask('GET', `/api/users/${id}/access`)).groups
    expect(await groupsOf()).toHaveLength(2)
    provider.userInfo.groups = ['others']
    await expect(sessionFrom(server, provider, 'guarded')).rejects.toThrow()
    expect(await groupsOf()).toHaveLength(1)
  })

  test('give what the group gives from the first token on', async () => {
    visitor()
    provider.userInfo.groups = ['the-staff']
    const { perm } = claimsOf(await sessionFrom(server, provider, 'mapped')).user
    expect(perm).toMatchObject({ delete: true, admin: false })
  })
})

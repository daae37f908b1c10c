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

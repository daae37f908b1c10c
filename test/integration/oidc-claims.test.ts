import { afterEach, describe, expect, test } from 'vitest'
import { call, claimsOf, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { startFalseProvider } from '../oidc/false-provider.ts'
import { accounts, problemIn, providerAt, sessionFrom, visit, withProviders } from '../oidc/sign-in.ts'

const provider = await startFalseProvider()
const server = await serve(
  withProviders([
    providerAt(provider.issuer),
    providerAt(provider.issuer, { slug: 'staff', allow: ['staff-*'], groupsClaim: 'realm.roles' }),
    providerAt(provider.issuer, { slug: 'imported', importGroups: 'all' }),
  ]),
)
const admin = await signIn(server)
afterEach(() => provider.reset())

let visitors = 0
/** Makes the provider send another user from now on. */
function visitor(): string {
  const name = `claimant${++visitors}`
  provider.claims = { sub: `sub-${name}` }
  provider.userInfo = { sub: `sub-${name}`, preferred_username: name }
  return name
}

const groupsHere = async (): Promise<string[]> =>
  json(await call(server, '/api/groups', { token: admin })).map(({ name }: { name: string }) => name)
const numbered = (length: number) => Array.from({ length }, (_, index) => `g${index}`)

const HOSTILE_NAMES: [string, unknown][] = [
  ['a NUL', 'a\0b'],
  ['dots', '..'],
  ['a slash', '../admin'],
  ['300 letters', 'x'.repeat(300)],
  ['nothing', ''],
  ['a line break', 'a\nb'],
  ['a mark that reverses what follows', 'nimda\u202e'],
  ['a mark of direction', '\u200fadmin'],
  ['an isolate', '\u2067admin\u2069'],
  ['a character without width', 'ad\u200bmin'],
  ['a byte order mark inside', 'ad\ufeffmin'],
  ['half a character', 'a\ud800'],
  ['a number', 7],
  ['a list', ['ann']],
  ['an object', { name: 'ann' }],
]

describe('OIDC-09 claims', () => {
  test.each(HOSTILE_NAMES)('with %s as the name create no account', async (_what, name) => {
    const before = await accounts(server, admin)
    visitor()
    provider.userInfo.preferred_username = name
    expect(problemIn((await visit(server, provider)).page)).toBe('bad_claims')
    expect(await accounts(server, admin)).toEqual(before)
  })

  test('with such a name later on leave the account as it is', async () => {
    const name = visitor()
    await sessionFrom(server, provider)
    for (const [, hostile] of HOSTILE_NAMES) {
      provider.userInfo.preferred_username = hostile
      expect(claimsOf(await sessionFrom(server, provider)).user.username).toBe(name)
    }
  })

  test.each<[string, unknown, boolean]>([
    ['a text', 'staff-a', true],
    ['an object', { 'staff-a': true }, false],
    ['a number', 7, false],
    ['nothing', null, false],
    ['one of 256 letters more', [`staff-${'x'.repeat(256)}`], false],
    ['the last of a thousand', [...numbered(999), 'staff-a'], true],
    ['one behind a thousand', [...numbered(1000), 'staff-a'], false],
    ['one behind ten thousand', [...numbered(10_000), 'staff-a'], false],
    ['one of half a megabyte, and another', [`staff-${'x'.repeat(500_000)}`, 'staff-a'], true],
    ['lists in lists', [['staff-a'], { 'staff-a': 1 }], false],
  ])('with %s as the groups are read safely', async (_what, roles, isIn) => {
    visitor()
    provider.userInfo.realm = { roles }
    expect(problemIn((await visit(server, provider, 'staff')).page)).toBe(isIn ? null : 'not_allowed')
  })

  test('with a group of a megabyte are refused, as is every answer of that size', async () => {
    visitor()
    provider.userInfo.realm = { roles: [`staff-${'x'.repeat(1024 ** 2)}`] }
    expect(problemIn((await visit(server, provider, 'staff')).page)).toBe('away')
    delete provider.userInfo.realm
    Object.assign(provider.claims, { realm: { roles: [`staff-${'x'.repeat(1024 ** 2)}`] } })
    expect(problemIn((await visit(server, provider, 'staff')).page)).toBe('away')
  })

  test('with very many groups make a thousand of them at most', async () => {
    const before = await groupsHere()
    visitor()
    provider.userInfo.groups = numbered(10_000).map(name => `many-${name}`)
    await sessionFrom(server, provider, 'imported')
    const made = (await groupsHere()).slice(before.length)
    expect(made.length).toBeLessThanOrEqual(1000)
    expect(made).not.toContain('many-g1000')
  })

  test('with hostile names of groups make none of these', async () => {
    const before = await groupsHere()
    visitor()
    provider.userInfo.groups = HOSTILE_NAMES.map(([, name]) => name)
    await sessionFrom(server, provider, 'imported')
    expect(await groupsHere()).toEqual(before)
  })
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'

const SECRET = 'a-secret-of-the-client'
const PLAIN = { slug: 'home', issuer: 'https://auth.example.org', clientId: 'filigree' }

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'filigree-providers-'))
})
afterEach(() => rmSync(home, { recursive: true }))

function readYaml(text: string) {
  const file = join(home, 'a.yaml')
  writeFileSync(file, text)
  return readConfig(['-c', file], {})
}
const read = (...providers: unknown[]) => readConfig([], { FILIGREE_PROVIDERS: JSON.stringify(providers) }).providers

describe('providers', () => {
  test('are read from a list in the configuration file, with their defaults', () => {
    const config = readYaml(`
publicURL: https://files.example.org/
Providers:
  - slug: home
    issuer: https://auth.example.org/application/o/filigree/
    clientId: filigree
    clientSecret: ${SECRET}
    allow: [family, "staff-*"]
`)
    expect(config.publicURL).toBe('https://files.example.org')
    const [provider] = config.providers
    expect(provider).toMatchObject({
      ...{ slug: 'home', label: 'home', issuer: 'https://auth.example.org/application/o/filigree/' },
      ...{ clientSecret: SECRET, clientAuth: 'basic', scopes: 'openid profile', onTaken: 'refuse' },
      ...{ createUsers: true, rpLogout: true, maxSession: 24 * 3_600_000 },
    })
    const isAllowed = (group: string) => provider?.allow.some(fits => fits(group))
    expect(['family', 'staff-', 'staff-a', 'Family', 'xstaff-a', ''].map(isAllowed)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
    expect(provider?.groupMap).toEqual({})
    expect(config.notices).toEqual([])
    expect(config.origins.providers.secret).toBe(true)
  })

  test('have one at most to which the sign-in page goes at once', () => {
    const auto = { ...PLAIN, autoRedirect: true }
    expect(read(auto, { ...PLAIN, slug: 'work' }).map(({ autoRedirect }) => autoRedirect)).toEqual([true, false])
    expect(() => read(auto, { ...auto, slug: 'work' })).toThrow('autoRedirect is for one of them')
  })

  test('take their secret from a file, or have none', () => {
    const clientSecretFile = join(home, 'secret')
    writeFileSync(clientSecretFile, `${SECRET}\n`)
    expect(read({ ...PLAIN, clientSecretFile })[0]).toMatchObject({ clientSecret: SECRET, clientAuth: 'basic' })
    expect(read(PLAIN)[0]).toMatchObject({ clientSecret: '', clientAuth: 'none' })
  })

  test.each<[string, object, string]>([
    ['an unknown key', { clientSecet: SECRET }, 'entry 1: there is no key clientSecet'],
    ['another kind', { kind: 'ldap' }, 'kind'],
    ['a slug with a slash', { slug: 'a/b' }, 'slug'],
    ['no issuer', { issuer: undefined }, 'issuer'],
    ['an issuer without TLS', { issuer: 'http://auth.example.org' }, 'https'],
    ['an issuer with a query', { issuer: 'https://auth.example.org/?a' }, 'plain https address'],
    ['a number as the client', { clientId: 7 }, 'clientId'],
    ['two secrets', { clientSecret: SECRET, clientSecretFile: '/x' }, 'not both'],
    ['a file that is missing', { clientSecretFile: '/none/such' }, 'cannot be read'],
    ['a secret that is not sent', { clientSecret: SECRET, clientAuth: 'none' }, 'clientAuth'],
    ['no secret to send', { clientAuth: 'post' }, 'clientAuth'],
    ['scopes without openid', { scopes: 'profile' }, 'scopes'],
    ['a text as allow', { allow: 'family' }, 'allow'],
    ['a list as a group', { groupMap: { family: ['a'] } }, 'groupMap'],
    ['a list of groups', { groupMap: ['family'] }, 'groupMap'],
    ['accounts joined by name', { linkExisting: 'name' }, 'linkExisting'],
    ['one folder for all newcomers', { homeTemplate: '/homes' }, 'homeTemplate'],
    ['a folder that climbs', { homeTemplate: '/homes/../{username}' }, 'homeTemplate'],
    ['a folder without its root', { homeTemplate: 'homes/{username}' }, 'homeTemplate'],
    ['a folder of a directory', { homeTemplate: '/{attribute:ou}/{username}' }, 'homeTemplate'],
    ['an odd time', { maxSession: 'a day' }, 'duration'],
  ])('with %s are refused, without their secrets', (_what, more, words) => {
    expect(() => read({ ...PLAIN, ...more })).toThrow(words)
    expect(() => read({ ...PLAIN, ...more })).not.toThrow(SECRET)
  })

  test('that are no list, or have one slug twice, are refused', () => {
    expect(() => readConfig([], { FILIGREE_PROVIDERS: `{"clientSecret": "${SECRET}"` })).toThrow('must be a list')
    expect(() => readConfig([], { FILIGREE_PROVIDERS: '{}' })).toThrow('must be a list')
    expect(() => read(PLAIN, PLAIN)).toThrow('the slug home occurs twice')
    expect(() => readConfig(['--providers', '[]'], {})).toThrow('--providers')
  })

  test('on this machine need no TLS', () => {
    for (const issuer of ['http://localhost:9000', 'http://127.0.0.2:9000', 'http://[::1]:9000'])
      expect(read({ ...PLAIN, issuer })[0]?.issuer).toBe(issuer)
  })
})

test('the public URL ends in the base URL', () => {
  expect(readConfig(['--publicURL', 'https://example.org/a/b/', '-b', '/a/b'], {}).publicURL).toBe(
    'https://example.org/a/b',
  )
  for (const wrong of ['https://example.org', 'https://example.org/a', 'example.org/a/b', 'https://example.org/a/b?x'])
    expect(() => readConfig(['--publicURL', wrong, '-b', '/a/b'], {})).toThrow('ublic')
})

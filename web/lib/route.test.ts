import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TokenUser } from '../../shared/api/users.ts'
import { byteLength, saysItsBytes, textOf } from '../../shared/bytes.ts'
import { parsePath } from '../../shared/path.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS } from '../../shared/permissions.ts'
import {
  decodeRoutePath,
  filesUrl,
  guard,
  matchRoute,
  type Route,
  redirectTarget,
  searchUrl,
  usageUrl,
  withoutBase,
} from './route.ts'

const HOSTILE = [
  '100%',
  'a%2Fb',
  'a#b',
  'a?b',
  'a+b',
  '[x]{y}',
  'back\\slash',
  '\u00e9',
  'e\u0301',
  '😀',
  '👩‍👩‍👧‍👦',
  ' leading',
  'trailing ',
  ' ',
  '%zz',
  '%',
  '%25',
  '*',
  '.hidden',
  '..a',
  '...',
  'a;b=c',
  'a&b=c',
  "it's",
  '"quoted"',
  '<b>',
  'a|b',
  'a^b',
  '`tick`',
  '~',
  'a:b',
  '@home',
  '$1',
  'a,b',
  'tab\there',
  'new\nline',
  '\u202egnp.exe',
  '\ufeffbom',
  '%2e%2e',
  '%00',
  'login',
  'files',
  'con.',
  'caf\udce9',
  '\udced\udca0\udc80',
]
const BASES = ['', '/fm', '/deep/er/base']

/** How the browser parses an address: the one place where a name could change. */
function browserPathname(url: string): string {
  return new URL(url, 'http://localhost:8080').pathname
}

function roundTrip(path: string, isFolder: boolean, base: string) {
  const pathname = browserPathname(base + filesUrl(path, isFolder))
  const address = withoutBase(pathname, base)
  if (address === undefined) throw new Error(`${pathname} left the base ${base}`)
  return matchRoute(address, '')
}

const name = fc
  .oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.string({ unit: 'grapheme' }),
    fc.uint8Array({ minLength: 1, maxLength: 40 }).map(textOf),
  )
  .filter(text => text !== '' && text !== '.' && text !== '..' && !/[/\0]/.test(text) && saysItsBytes(text))
  .filter(text => byteLength(text) <= 255)
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map(names => `/${names.join('/')}`)

describe('the path in the address', () => {
  it.each(HOSTILE)('keeps the name %j byte for byte', hostile => {
    for (const base of BASES) {
      for (const isFolder of [false, true]) {
        const route = roundTrip(`/folder/${hostile}`, isFolder, base)
        expect(route).toEqual({ name: 'files', path: `/folder/${hostile}`, folderHint: isFolder })
      }
    }
  })

  it('keeps any storable path, under any base', () => {
    fc.assert(
      fc.property(path, fc.boolean(), fc.constantFrom(...BASES), (wanted, isFolder, base) => {
        expect(roundTrip(wanted, isFolder, base)).toEqual({ name: 'files', path: wanted, folderHint: isFolder })
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps a stray percent sign as typed', () => {
    expect(decodeRoutePath('/100%')).toBe('/100%')
    expect(decodeRoutePath('/%zz/a%20b')).toBe('/%zz/a b')
  })

  it('keeps bytes that are not UTF-8 as typed', () => {
    expect(decodeRoutePath('/caf%E9')).toBe('/caf\udce9')
    expect(decodeRoutePath('/..%c0%af')).toBe('/..\udcc0\udcaf')
  })

  it.each(['/a%2Fb', '/%2e%2e/x', '/a//b', '/a%00', `/${'x'.repeat(256)}`])('refuses %j', encoded => {
    expect(decodeRoutePath(encoded)).toBeUndefined()
  })
})

describe('addresses', () => {
  it('/files and / lead to the start folder', () => {
    expect(matchRoute('/files', '')).toEqual({ name: 'redirect', to: '/files/' })
    expect(matchRoute('/', '')).toEqual({ name: 'redirect', to: '/files/' })
  })

  it('an unknown address is a path among the files', () => {
    expect(matchRoute('/photos/a%20b', '')).toEqual({ name: 'redirect', to: '/files/photos/a%20b' })
    expect(matchRoute('/filesystem', '')).toEqual({ name: 'redirect', to: '/files/filesystem' })
  })

  it('shares, settings and error pages have routes', () => {
    expect(matchRoute('/share/aB3/sub%20dir/', '')).toEqual({ name: 'share', hash: 'aB3', path: '/sub dir' })
    expect(matchRoute('/settings/', '')).toEqual({ name: 'redirect', to: '/settings/profile' })
    expect(matchRoute('/settings/shares', '')).toEqual({ name: 'settings', page: 'shares' })
    expect(matchRoute('/settings/users/7', '')).toEqual({ name: 'settings', page: 'user', id: 7 })
    expect(matchRoute('/settings/users/new/', '')).toEqual({ name: 'settings', page: 'user', id: 'new' })
    expect(matchRoute('/settings/groups/0af', '')).toEqual({ name: 'settings', page: 'groups', group: '0af' })
    expect(matchRoute('/settings/users/x', '')).toEqual({ name: 'redirect', to: '/files/settings/users/x' })
    expect(matchRoute('/403', '')).toEqual({ name: 'error', code: 403 })
  })

  it('the page of tags may name one', () => {
    expect(matchRoute('/tags', '')).toEqual({ name: 'marks', page: 'tags' })
    const place = { query: 'a & b', folder: parsePath('/x y'), everywhere: true, inContents: true }
    const [address = '', search] = searchUrl(place).split('?')
    expect(matchRoute(address, `?${search}`)).toEqual({ name: 'search', ...place })
    expect(matchRoute('/search', '')).toEqual({
      ...{ name: 'search', query: '', folder: '/', everywhere: false, inContents: false },
    })
    expect(matchRoute('/tags/01abc', '')).toEqual({ name: 'marks', page: 'tags', tag: '01abc' })
  })

  it('the disk usage names a folder', () => {
    expect(matchRoute('/usage', '')).toEqual({ name: 'usage', path: '/' })
    expect(matchRoute(usageUrl('/a b/100%'), '')).toEqual({ name: 'usage', path: '/a b/100%' })
    expect(matchRoute('/usage/a%2Fb', '')).toEqual({ name: 'error', code: 404 })
  })

  it('the sign-in page can open for sign-up', () => {
    expect(matchRoute('/login', '')).toEqual({ name: 'login', redirect: '/files/', signUp: false, link: false })
    expect(matchRoute('/login/', '?signup')).toEqual({ name: 'login', redirect: '/files/', signUp: true, link: false })
  })

  it('an address below the base differs from one that shares its prefix', () => {
    expect(withoutBase('/fm/files/', '/fm')).toBe('/files/')
    expect(withoutBase('/fm', '/fm')).toBe('/')
    expect(withoutBase('/fmx/files/', '/fm')).toBeUndefined()
  })
})

describe('the target after sign-in', () => {
  it.each(['/files/a%20b/', '/settings/profile', '/files/x?y=1'])('is %j when it is ours', target => {
    expect(redirectTarget(`?redirect=${encodeURIComponent(target)}`)).toBe(target)
  })

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/.//evil.example',
    '/files/..//evil.example',
    'javascript:alert(1)',
    'files/',
    '',
    '/login?redirect=/login',
  ])('falls back to the start folder for %j', target => {
    expect(redirectTarget(`?redirect=${encodeURIComponent(target)}`)).toBe('/files/')
  })

  it('never leaves this site, whatever is requested', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      'evil.example',
      ':',
      '@',
      '%2f',
      '%5c',
      '\t',
      '\n',
      'http:',
      '?',
      '#',
      ' ',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom(...BASES), (pieces, base) => {
        const target = redirectTarget(`?redirect=${encodeURIComponent(pieces.join(''))}`)
        const url = new URL(base + target, 'http://ours.example')
        expect(url.origin).toBe('http://ours.example')
      }),
      { numRuns: 2000 },
    )
  })
})

describe('access to pages', () => {
  const user = (perm = NO_PERMISSIONS) => ({ perm }) as TokenUser
  const files = matchRoute('/files/a/', '')
  const path = parsePath('/a')

  it('a visitor is sent to the sign-in page and returns', () => {
    expect(files).toEqual({ name: 'files', path, folderHint: true })
    expect(guard({ name: 'files', path, folderHint: true }, '/files/a/', null)).toBe('/login?redirect=%2Ffiles%2Fa%2F')
    expect(guard({ name: 'settings', page: 'profile' }, '/settings/profile', null)).toMatch(/^\/login\?/)
  })

  it('a signed-in user skips the sign-in page', () => {
    expect(guard({ name: 'login', redirect: '/files/a/', signUp: false, link: false }, '/login', user())).toBe(
      '/files/a/',
    )
  })

  it.each(['global', 'users', 'users/new', 'users/3'])('only an administrator sees /settings/%s', section => {
    const address = `/settings/${section}`
    const route = matchRoute(address, '') as Route
    expect(route.name).toBe('settings')
    expect(guard(route, address, user())).toBe('/403')
    expect(guard(route, address, user(ALL_PERMISSIONS))).toBeUndefined()
  })

  it('public shares need no sign-in, share management needs the permission', () => {
    expect(guard({ name: 'share', hash: 'x', path }, '/share/x', null)).toBeUndefined()
    expect(guard({ name: 'settings', page: 'shares' }, '/settings/shares', user())).toBe('/403')
  })

  it('only administrators see webhooks unless the host gives users their own', () => {
    const open = (perm = NO_PERMISSIONS) =>
      guard({ name: 'settings', page: 'webhooks' }, '/settings/webhooks', user(perm))
    expect([open(), open(ALL_PERMISSIONS)]).toEqual(['/403', undefined])
  })
})

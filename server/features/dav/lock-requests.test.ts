import { describe, expect, test } from 'vitest'
import { parseXml } from '../../lib/xml-reader.ts'
import { LIMITS } from '../../limits.ts'
import { lifetimeOf, lockTokenOf, programOf } from './lock-headers.ts'
import { lockInfoOf } from './lock-xml.ts'

const LONGEST = 7_200_000

test.each([
  [undefined, LONGEST],
  ['Infinite, Second-4100000000', LONGEST],
  ['Second-4100000000', LONGEST],
  ['Second-1', LIMITS.shortestLock],
  ['Extended-1, Second-600', 600_000],
  ['nonsense', LONGEST],
])('a time-out of %j is %d ms', (header, lifetime) => {
  expect(lifetimeOf(header, LONGEST)).toBe(lifetime)
})

test.each([
  ['Microsoft-WebDAV-MiniRedir/10.0.19045', 'Windows Explorer'],
  ['WebDAVFS/3.0.0 (03008000) Darwin/22.6.0', 'Finder'],
  ['LibreOffice 7.4.7.2 denylistedbackend/7.88.1 OpenSSL/3.0', 'LibreOffice'],
  ['rclone/v1.60.1', 'rclone'],
  ['davfs2/1.6.1 neon/0.32.2', 'davfs2'],
  ['', 'WebDAV'],
  [undefined, 'WebDAV'],
  ['x'.repeat(200), 'x'.repeat(80)],
])('the program of %j is %s', (agent, name) => {
  expect(programOf(agent)).toBe(name)
})

test('the token of UNLOCK is one coded address', () => {
  expect(lockTokenOf('<opaquelocktoken:1>')).toBe('opaquelocktoken:1')
  for (const text of [undefined, '', 'opaquelocktoken:1', '<a> <b>', '<>']) expect(lockTokenOf(text)).toBeUndefined()
})

describe('the body of LOCK', () => {
  const body = (inside: string, root = 'D:lockinfo') =>
    parseXml(Buffer.from(`<${root} xmlns:D="DAV:">${inside}</${root}>`))
  const type = '<D:locktype><D:write/></D:locktype>'

  test('has a scope and an owner, whose content is kept', () => {
    const scope = '<D:lockscope><D:shared/></D:lockscope>'
    const owner = '<D:owner><D:href>http://example.org/~ann&amp;co</D:href> <x xmlns="y:">z</x></D:owner>'
    expect(lockInfoOf(body(scope + type + owner))).toEqual({
      scope: 'shared',
      ownerXml: '<D:href xmlns:D="DAV:">http://example.org/~ann&amp;co</D:href> <x xmlns="y:">z</x>',
    })
  })

  test('of any other kind is refused', () => {
    const scope = '<D:lockscope><D:exclusive/></D:lockscope>'
    for (const wrong of [
      body(scope),
      body(type),
      body(`<D:lockscope><D:other/></D:lockscope>${type}`),
      body(`${scope}<D:locktype><D:read/></D:locktype>`),
      body(scope + type, 'D:prop'),
      body(`${scope}${type}<D:owner>${'x'.repeat(LIMITS.lockOwner + 1)}</D:owner>`),
    ]) {
      expect(() => lockInfoOf(wrong)).toThrow(expect.objectContaining({ code: 'bad_request' }))
    }
  })
})

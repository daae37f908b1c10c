import { expect, test } from 'vitest'
import type { ShareLink } from '../../../shared/api/shares.ts'
import { filterIn, isListed, queryOf } from './link-filter.ts'

const NOW = Date.UTC(2030, 5, 1)
const link = (given: Partial<ShareLink>): ShareLink => ({
  ...{ hash: 'h', path: '/Trip/', userID: 1, expire: 0, hasPassword: false, username: 'ann' },
  ...given,
})
const used = (last: string) => ({ views: 1, downloads: 0, last })

test.each([
  ['', '', true],
  ['?q=TRIP', '?q=TRIP', true],
  ['?q=ann', '?q=ann', true],
  ['?q=bob', '?q=bob', false],
  ['?kind=view&only=open', '?kind=view&only=open', true],
  ['?kind=drop', '?kind=drop', false],
  ['?kind=edit', '?kind=edit', false],
  ['?only=paused', '?only=paused', false],
  ['?only=shut', '?only=shut', false],
  ['?only=endless', '?only=endless', true],
  ['?only=unused', '?only=unused', true],
  ['?kind=x&only=y&z=1', '', true],
])('an address with %s filters links, and a filter has that address', (query, address, listed) => {
  const filter = filterIn(query)
  expect(queryOf(filter)).toBe(address)
  expect(isListed(link({}), filter, NOW)).toBe(listed)
})

test('a link is unused 90 days after its last use', () => {
  const filter = filterIn('?only=unused')
  expect(isListed(link({ used: used('2030-05-20T00:00:00Z') }), filter, NOW)).toBe(false)
  expect(isListed(link({ used: used('2030-02-20T00:00:00Z') }), filter, NOW)).toBe(true)
})

test('paused links, those that do not open, file requests and locked ones are found apart', () => {
  expect(isListed(link({ paused: '2030-05-20T00:00:00Z' }), filterIn('?only=paused'), NOW)).toBe(true)
  expect(isListed(link({ shut: 'folder' }), filterIn('?only=shut'), NOW)).toBe(true)
  expect(isListed(link({ kind: 'drop' }), filterIn('?kind=drop'), NOW)).toBe(true)
  expect(isListed(link({ kind: 'edit' }), filterIn('?kind=edit'), NOW)).toBe(true)
  expect(isListed(link({ hasPassword: true }), filterIn('?only=open'), NOW)).toBe(false)
})

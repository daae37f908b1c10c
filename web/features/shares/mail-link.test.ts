import { expect, test } from 'vitest'
import { addressesIn } from './mail-link.ts'

test('addresses are separated by commas, semicolons, spaces and line breaks', () => {
  expect(addressesIn(' ann@example.org, ben@example.org;eve@example.org\nx@example.org ')).toEqual([
    'ann@example.org',
    'ben@example.org',
    'eve@example.org',
    'x@example.org',
  ])
  expect(addressesIn(' , ')).toEqual([])
})

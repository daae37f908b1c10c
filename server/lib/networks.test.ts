import { expect, test } from 'vitest'
import { membership } from './networks.ts'

test.each([
  [['10.0.0.0/8'], '10.9.8.7', true],
  [['10.0.0.0/8'], '11.0.0.1', false],
  [['10.0.0.0/8'], '::ffff:10.9.8.7', true],
  [['127.0.0.1'], '127.0.0.1', true],
  [['127.0.0.1'], '127.0.0.2', false],
  [['fd00::/8', '::1'], 'fd12::1', true],
  [['fd00::/8', '::1'], '::1', true],
  [['fd00::/8'], 'fe80::1', false],
  [['0.0.0.0/1'], '8.8.8.8', true],
  [[], '127.0.0.1', false],
  [['0.0.0.0/1'], 'nonsense', false],
] as const)('of %j is %s: %s', (networks, address, expected) => {
  expect(membership(networks)(address)).toBe(expected)
})

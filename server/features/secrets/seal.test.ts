import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Seal } from './seal.ts'

const seal = new Seal(randomBytes(32))

test('a sealed text opens for its row, and for no other', () => {
  const sealed = seal.seal('text', 'totp:1')
  expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\./)
  expect(sealed).not.toContain('text')
  expect(seal.open(sealed, 'totp:1')).toBe('text')
  expect(() => seal.open(sealed, 'totp:2')).toThrow('a sealed secret is damaged')
})

test('MFA-09 a text sealed with another key names the key', () => {
  const sealed = new Seal(randomBytes(32)).seal('text', 'totp:1')
  expect(() => seal.open(sealed, 'totp:1')).toThrow('sealed with another secretKey')
})

test('a changed or cut text does not open', () => {
  const sealed = seal.seal('text', 'totp:1')
  const [version, id, nonce, content = ''] = sealed.split('.')
  const flipped = (content[0] === 'A' ? 'B' : 'A') + content.slice(1)
  for (const broken of [flipped, content.slice(0, 4), '']) {
    expect(() => seal.open([version, id, nonce, broken].join('.'), 'totp:1')).toThrow('damaged')
  }
})

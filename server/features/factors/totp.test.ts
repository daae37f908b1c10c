import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { codeAt, codeIn, fromBase32, otpauthOf, SECRET_BYTES, stepAt, stepOf, toBase32 } from './totp.ts'

const RFC_SECRET = Buffer.from('12345678901234567890')

describe('a code', () => {
  test.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('is that of RFC 6238 at %i seconds', (seconds, code) => {
    expect(codeAt(RFC_SECRET, stepAt(seconds * 1000), 8)).toBe(code)
  })

  test('is that of oathtool for any secret and time', () => {
    for (let count = 0; count < 20; count++) {
      const secret = randomBytes(SECRET_BYTES)
      const seconds = Math.floor(Math.random() * 4_000_000_000)
      const args = ['--totp', '-b', toBase32(secret), '--now', `@${seconds}`]
      const { stdout, error } = spawnSync('oathtool', args, { encoding: 'utf8' })
      expect(error).toBeUndefined()
      expect(codeAt(secret, stepAt(seconds * 1000))).toBe(stdout.trim())
    }
  })

  test('counts one step early and one step late, and no longer', () => {
    const now = 1_700_000_000_000
    const step = stepAt(now)
    const found = [-2, -1, 0, 1, 2].map(by => stepOf(RFC_SECRET, codeAt(RFC_SECRET, step + by), now))
    expect(found).toEqual([undefined, step - 1, step, step + 1, undefined])
  })

  test('may be typed with spaces, and nothing else is one', () => {
    expect(codeIn(' 123 456 ')).toBe('123456')
    for (const text of ['', '12345', '1234567', '12345a', '１２３４５６', 'k7qm-2f9d-xw3h-8tna']) {
      expect(codeIn(text)).toBeUndefined()
    }
  })
})

describe('a secret', () => {
  test('survives base32', () => {
    const secret = randomBytes(SECRET_BYTES)
    expect(toBase32(secret)).toMatch(/^[A-Z2-7]{32}$/)
    expect(fromBase32(toBase32(secret))).toEqual(secret)
  })

  test('is in an address that names the instance and the user', () => {
    expect(otpauthOf({ secret: 'ABC', issuer: 'My files', username: 'ann&bob' })).toBe(
      'otpauth://totp/My%20files:ann%26bob?secret=ABC&issuer=My%20files',
    )
  })
})

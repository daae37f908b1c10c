import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { qrCode } from './qr.ts'

const digest = (text: string) => {
  const rows =
    qrCode(text)
      ?.map(row => row.map(Number).join(''))
      .join('\n') ?? ''
  return createHash('sha256').update(rows).digest('hex').slice(0, 16)
}

// Each was compared, module by module, with what another encoder makes with the same mask.
test.each([
  [10, 21, 'fea9cf50978bec5b'],
  [17, 21, '7c244f1e6d371973'],
  [18, 25, '64b964e41cbb153e'],
  [100, 37, '551238b1c97071c2'],
  [120, 41, '29840ecdfab3fb4f'],
  [160, 49, '12f0fe98653cebe2'],
  [200, 53, 'a8129e059d4cffc5'],
  [271, 57, '82110b0ada640d06'],
])('a text of %i bytes makes the known QR code', (length, size, known) => {
  const text = 'otpauth://totp/'.repeat(20).slice(0, length)
  expect(qrCode(text)).toHaveLength(size)
  expect(digest(text)).toBe(known)
})

test('a text of more than 271 bytes makes none', () => {
  expect(qrCode('x'.repeat(272))).toBeUndefined()
  expect(qrCode('ü'.repeat(136))).toBeUndefined()
})

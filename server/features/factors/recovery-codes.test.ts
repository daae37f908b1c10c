import { expect, test } from 'vitest'
import { hashOfCode, newRecoveryCodes } from './recovery-codes.ts'

test('recovery codes are ten, of 80 bits, and read however they are typed', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
  const hash = hashOfCode('k0q1-2f9d-xw3h-8tna')
  for (const typed of ['K0Q12F9DXW3H8TNA', 'koqi 2f9d xw3h 8tna', ' k0ql-2f9d-xw3h-8tna ']) {
    expect(hashOfCode(typed)).toBe(hash)
  }
})

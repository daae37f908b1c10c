import { describe, expect, test } from 'vitest'
import { isCommonPassword } from '../../../shared/common-passwords.ts'
import { checkPassword } from './password-policy.ts'

describe('a common password', () => {
  test.each([
    'password',
    'Password1234',
    'P@ssw0rd2024!',
    'summer2025',
    'Sommer2024'.replace('Sommer', 'Summer'),
    '123456789012',
    '098765432109',
    'qwertyuiop12',
    'asdfghjkl123',
    '1q2w3e4r5t6y',
    'abcdefghijkl',
    'lkjihgfedcba',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    '121212121212',
    'passwordpassword',
    'adminadmin123',
    'iloveyou-monkey',
    '2024password',
    'letmein!',
    'filebrowser1',
    'qwerty123456',
  ])('%s', password => {
    expect(isCommonPassword(password)).toBe(true)
  })
})

describe('an uncommon password', () => {
  test.each([
    'correct horse battery',
    'alice-has-a-long-pass',
    'Grüße aus Zürich 2026',
    'a-long-enough-passphrase',
    'summer rain on tin roofs',
    'tr0ub4dor&3',
    'password is not my thing',
    'Qx7!vRm2#pLz',
    'qwertyeats3plums',
    '',
  ])('%s', password => {
    expect(isCommonPassword(password)).toBe(false)
  })
})

test('the length limits count bytes', () => {
  checkPassword('äöüßéñ', 12)
  expect(() => checkPassword('äöüßé', 12)).toThrow('password is too short, minimum length is 12')
  checkPassword(`${'lantern '.repeat(127)}ab cdef!`, 12)
  expect(() => checkPassword(`${'lantern '.repeat(127)}ab cdef!!`, 12)).toThrow('maximum length is 1024')
})

test('the longest password is checked quickly', () => {
  const began = process.cpuUsage()
  for (const part of ['admin', 'a', 'password1', 'x9$ '])
    checkPassword(`${part.repeat(1024 / part.length).slice(0, 1000)}~not so~`, 12)
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000)
})

import { describe, expect, test } from 'vitest'
import { PASSWORD_COSTS } from '../../../shared/password-cost.ts'
import { choosePasswordCost, hashPassword, isOutdated, verifyPassword } from './password.ts'

describe('a password', () => {
  test('matches its hash, and another one does not', async () => {
    const hash = await hashPassword('correct horse')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$/)
    expect(await verifyPassword('correct horse', hash)).toBe(true)
    expect(await verifyPassword('correct horse ', hash)).toBe(false)
    expect(await verifyPassword('', hash)).toBe(false)
  })

  test.each([
    ['high', 65_536, 4],
    ['usual', 32_768, 3],
    ['least', 47_104, 1],
  ] as const)('has the configured cost: %s', async (cost, memory, passes) => {
    const before = await hashPassword('x')
    choosePasswordCost(PASSWORD_COSTS[cost])
    const hash = await hashPassword('x')
    expect(hash).toContain(`$m=${memory},t=${passes},p=1$`)
    expect(isOutdated(before)).toBe(true)
    expect(isOutdated(hash)).toBe(false)
    expect(await verifyPassword('x', before)).toBe(true)
  })

  test('has a different hash each time', async () => {
    expect(await hashPassword('x')).not.toBe(await hashPassword('x'))
  })

  test('AUTH-11 of an imported account is checked by bcrypt and then counts as outdated', async () => {
    const hash = '$2a$10$t4NZYcig9w0BcrhNl7wlBOjxisY34qJ8ETwG2C0JKxr5Z.enFl5Je'
    expect(await verifyPassword('bob-has-a-long-pass-too', hash)).toBe(true)
    expect(await verifyPassword('bob-has-a-long-pass-tOo', hash)).toBe(false)
    expect(isOutdated(hash)).toBe(true)
    expect(isOutdated(await hashPassword('x'))).toBe(false)
  })

  test.each(['', 'plain', '$argon2id$v=19$m=1', '$2a$10$short'])('never matches the broken hash %j', async hash => {
    expect(await verifyPassword('plain', hash)).toBe(false)
    expect(await verifyPassword('', hash)).toBe(false)
  })
})

/** Made by libxcrypt; all of the same password and salt. */
const DIGEST = 'abcdefghijklmnopqrstuu23JPZtHcGhwXSF41f93o/7vBdDut3Xu'

describe('a bcrypt hash of another program', () => {
  test.each(['$2a$', '$2b$', '$2y$'])('is checked with the prefix %s', async prefix => {
    expect(await verifyPassword('correct horse', `${prefix}10$${DIGEST}`)).toBe(true)
    expect(await verifyPassword('correct horsf', `${prefix}10$${DIGEST}`)).toBe(false)
  })

  test('uses the UTF-8 bytes of the password', async () => {
    const hash = '$2b$04$abcdefghijklmnopqrstuuWdMElz7K.Zd/qtt22yktL7oIc.O2f46'
    expect(await verifyPassword('Grüße 🙂', hash)).toBe(true)
    expect(await verifyPassword('Grüsse 🙂', hash)).toBe(false)
  })

  test('uses the first 72 bytes', async () => {
    const hash = '$2b$04$abcdefghijklmnopqrstuuBzzIgyKkz7xMWYSzkIjUSnxEQFQ0WNe'
    expect(await verifyPassword('a'.repeat(80), hash)).toBe(true)
    expect(await verifyPassword(`${'a'.repeat(72)}b`, hash)).toBe(true)
    expect(await verifyPassword('a'.repeat(71), hash)).toBe(false)
  })

  test('is checked without blocking the server', async () => {
    let ticks = 0
    const count = setInterval(() => (ticks += 1), 1)
    await verifyPassword('wrong', `$2b$12$${DIGEST}`)
    clearInterval(count)
    expect(ticks).toBeGreaterThan(20)
  })
})

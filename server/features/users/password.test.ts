import { hash as bcrypt } from '@node-rs/bcrypt'
import { describe, expect, test } from 'vitest'
import { PASSWORD_COSTS } from '../../../shared/password-cost.ts'
import { choosePasswordCost, hashPassword, isOutdated, verifyPassword } from './password.ts'

describe('a password', () => {
  test('is known again by its hash, and another one is not', async () => {
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
  ] as const)('costs what the host says: %s', async (cost, memory, passes) => {
    const before = await hashPassword('x')
    choosePasswordCost(PASSWORD_COSTS[cost])
    const hash = await hashPassword('x')
    expect(hash).toContain(`$m=${memory},t=${passes},p=1$`)
    expect(isOutdated(before)).toBe(true)
    expect(isOutdated(hash)).toBe(false)
    expect(await verifyPassword('x', before)).toBe(true)
  })

  test('has another hash each time', async () => {
    expect(await hashPassword('x')).not.toBe(await hashPassword('x'))
  })

  test('AUTH-11 of an imported account is checked by bcrypt and then counts as outdated', async () => {
    const hash = await bcrypt('old password', { cost: 10 })
    expect(await verifyPassword('old password', hash)).toBe(true)
    expect(await verifyPassword('wrong', hash)).toBe(false)
    expect(isOutdated(hash)).toBe(true)
    expect(isOutdated(await hashPassword('x'))).toBe(false)
  })

  test.each(['', 'plain', '$argon2id$v=19$m=1', '$2a$10$short'])('never matches the broken hash %j', async hash => {
    expect(await verifyPassword('plain', hash)).toBe(false)
    expect(await verifyPassword('', hash)).toBe(false)
  })
})

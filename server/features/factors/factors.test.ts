import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { Secrets } from '../secrets/secrets.ts'
import { addUser, BLANK_USER } from '../users/users.store.ts'
import { Factors } from './factors.ts'
import { codeAt, fromBase32, stepAt } from './totp.ts'

let folder: string
let db: Db
let userId: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'factors-'))
  db = (await openDb(join(folder, 'filigree.db'), folder)).db
  userId = (await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash: '' })).id
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const factorsWith = (secretKey?: Buffer) => new Factors({ db, secrets: new Secrets(db, { secretKey }) })
const codeOf = (secret: string, ahead = 0) => codeAt(fromBase32(secret), stepAt(Date.now()) + ahead)

test('the database keeps neither the secret of an app nor a recovery code as they are', async () => {
  const factors = factorsWith()
  const secret = await factors.begin(userId)
  const codes = await factors.confirm(userId, codeOf(secret))
  const rows = JSON.stringify([
    await db.selectFrom('totp').selectAll().execute(),
    await db.selectFrom('recovery_codes').selectAll().execute(),
  ])
  for (const text of [secret, ...codes, ...codes.map(code => code.replaceAll('-', ''))]) {
    expect(rows).not.toContain(text)
  }
})

test('MFA-09 with another key a code is not wrong but cannot be checked, and recovery codes still count', async () => {
  const secret = await factorsWith(randomBytes(32)).begin(userId)
  const key = randomBytes(32)
  await expect(factorsWith(key).confirm(userId, codeOf(secret))).rejects.toMatchObject({ code: 'unavailable' })
  const again = await factorsWith(key).begin(userId)
  const [recovery = ''] = await factorsWith(key).confirm(userId, codeOf(again))
  for (const other of [factorsWith(randomBytes(32)), factorsWith()]) {
    await expect(other.check(userId, codeOf(again, 1))).rejects.toMatchObject({ code: 'unavailable' })
  }
  expect(await factorsWith().check(userId, recovery)).toBe('recovery')
  expect(await factorsWith(key).check(userId, codeOf(again, 1))).toBe('totp')
})

test('a code of an app that was not confirmed opens nothing', async () => {
  const factors = factorsWith()
  const secret = await factors.begin(userId)
  expect([await factors.isOn(userId), await factors.check(userId, codeOf(secret))]).toEqual([false, undefined])
})

test('beginning again replaces an app that was not confirmed', async () => {
  const factors = factorsWith()
  const first = await factors.begin(userId)
  const second = await factors.begin(userId)
  await expect(factors.confirm(userId, codeOf(first))).rejects.toMatchObject({ code: 'bad_request' })
  expect(await factors.confirm(userId, codeOf(second))).toHaveLength(10)
})

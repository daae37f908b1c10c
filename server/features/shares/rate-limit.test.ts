import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { MISSES, RateLimit } from './rate-limit.ts'

let folder: string
let db: Db
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
  folder = await mkdtemp(join(tmpdir(), 'filigree-rate-limit-'))
  db = (await openDb(join(folder, 'f.db'))).db
})
afterEach(async () => {
  vi.useRealTimers()
  await db.destroy()
  await rm(folder, { recursive: true })
})

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)
const refused = (wait: number) => expect.objectContaining({ code: 'too_many_attempts', wait })

async function missOften(rateLimit: RateLimit, address: string, times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) {
    rateLimit.admit(address)
    await rateLimit.miss(address)
  }
}

test('SHR-06 guessing links is limited after some misses', async () => {
  const rateLimit = new RateLimit(db)
  await missOften(rateLimit, '192.0.2.1', 1)
  later(20_000)
  await missOften(rateLimit, '192.0.2.1', MISSES.most - 1)
  expect(() => rateLimit.admit('192.0.2.1')).toThrow(refused(MISSES.window - 20_000))
  rateLimit.admit('192.0.2.2')
  later(MISSES.window - 20_000)
  await missOften(rateLimit, '192.0.2.1', MISSES.most)
  expect(() => rateLimit.admit('192.0.2.1')).toThrow(refused(MISSES.window))
})

test('SHR-06 guesses at links count across servers and restarts', async () => {
  const [one, other] = [new RateLimit(db), new RateLimit(db)]
  await missOften(one, '192.0.2.1', MISSES.most - 1)
  await missOften(other, '192.0.2.1', 1)
  expect(() => other.admit('192.0.2.1')).toThrow(refused(MISSES.window))
  await expect(one.miss('192.0.2.1')).rejects.toThrow(refused(MISSES.window))
  expect(() => one.admit('192.0.2.1')).toThrow(refused(MISSES.window))
  await expect(new RateLimit(db).miss('192.0.2.1')).rejects.toThrow(refused(MISSES.window))
  await one.miss('192.0.2.2')
})

test('old misses are swept', async () => {
  const rateLimit = new RateLimit(db)
  for (let index = 0; index < 1000; index += 1) {
    if (index % 100 === 0) later(MISSES.window)
    await rateLimit.miss(`198.51.${Math.floor(index / 250)}.${index % 250}`)
  }
  const rows = await db.selectFrom('guesses').select('key').execute()
  expect(rows.length).toBeLessThan(201)
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { countGuess, MOST_GUESSES, sweepGuesses } from './password-throttle.store.ts'
import {
  FORGET_AFTER,
  LONGEST_WAIT,
  PasswordThrottle,
  PER_NETWORK,
  PER_SUBJECT,
  PER_VISITOR,
} from './password-throttle.ts'

let folder: string
let db: Db
let throttle: PasswordThrottle
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
  folder = await mkdtemp(join(tmpdir(), 'filigree-guesses-'))
  db = (await openDb(join(folder, 'f.db'))).db
  throttle = new PasswordThrottle({ db, cluster: openLocalCluster() })
})
afterEach(async () => {
  vi.useRealTimers()
  await db.destroy()
  await rm(folder, { recursive: true })
})

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)
const address = (number: number) => `198.51.${Math.floor(number / 250)}.${number % 250}`

/** Milliseconds to wait, or whether the guess was right. */
async function guess(subject: string, from: string, isRight = false): Promise<number | boolean> {
  try {
    const opened = await throttle.judge({ kind: 'login', subject, address: from }, async () => isRight || undefined)
    return opened === true
  } catch (error) {
    return (error as { wait: number }).wait
  }
}

/** Past failures, without the time each takes. */
async function fail(times: number, subject: string, from: string): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => guess(subject, from)))
}

const failFromEverywhere = () =>
  Promise.all(Array.from({ length: PER_SUBJECT.free }, (_, index) => guess('ann', address(index))))

describe('guessing a password', () => {
  test('AUTH-02 has to wait from the tenth failure on, with the right password as well', async () => {
    await fail(PER_VISITOR.free, 'ann', '192.0.2.1')
    expect(await guess('ann', '192.0.2.1')).toBe(PER_VISITOR.wait)
    expect(await guess('ann', '192.0.2.1', true)).toBe(PER_VISITOR.wait)
    expect(await guess('bob', '192.0.2.1', true)).toBe(true)
    expect(await guess('ann', '192.0.2.2', true)).toBe(true)
  })

  test('AUTH-02 doubles the wait with each failure, up to a quarter of an hour', async () => {
    await fail(PER_VISITOR.free, 'ann', '::1')
    let expected = PER_VISITOR.wait
    for (let round = 0; round < 8; round += 1) {
      expect(await guess('ann', '::1')).toBe(expected)
      later(expected)
      expect(await guess('ann', '::1')).toBe(false)
      expected = Math.min(expected * 2, LONGEST_WAIT)
    }
    later(LONGEST_WAIT)
    expect(await guess('ann', '::1', true)).toBe(true)
    expect(await guess('ann', '::1')).toBe(false)
  })

  test('is forgotten after an hour without failures', async () => {
    await fail(PER_VISITOR.free, 'ann', '::1')
    later(FORGET_AFTER)
    expect(await guess('ann', '::1')).toBe(false)
    expect(await guess('ann', '::1')).toBe(false)
  })

  test('AUTH-03 is limited across many addresses', async () => {
    await failFromEverywhere()
    expect(await guess('ann', '192.0.2.1', true)).toBe(PER_SUBJECT.wait)
  })

  test('AUTH-04 from elsewhere does not lock out a user at a known network', async () => {
    expect(await guess('ann', '192.0.2.7', true)).toBe(true)
    await failFromEverywhere()
    expect(await guess('ann', '192.0.2.8', true)).toBe(PER_SUBJECT.wait)
    expect(await guess('ann', '192.0.2.7', true)).toBe(true)
  })

  test('of many names from one address is limited', async () => {
    await Promise.all(Array.from({ length: PER_NETWORK.free }, (_, index) => guess(`u${index}`, '192.0.2.1')))
    expect(await guess('ann', '192.0.2.1', true)).toBe(PER_NETWORK.wait)
  })

  test('AUTH-03 cannot be evaded by concurrency', async () => {
    let tried = 0
    const slow = async () => {
      tried += 1
      await Promise.resolve()
      return undefined
    }
    const all = Array.from({ length: 50 }, () =>
      throttle.judge({ kind: 'share', subject: 'link', address: '192.0.2.1' }, slow),
    )
    await Promise.allSettled(all)
    expect(tried).toBe(PER_VISITOR.free)
  })

  test('AUTH-03 is counted across a restart', async () => {
    await fail(PER_VISITOR.free, 'ann', '192.0.2.1')
    throttle = new PasswordThrottle({ db, cluster: openLocalCluster() })
    expect(await guess('ann', '192.0.2.1', true)).toBe(PER_VISITOR.wait)
  })

  test('does not include right passwords', async () => {
    for (let index = 0; index < 3 * PER_VISITOR.free; index += 1) {
      expect(await guess('ann', '192.0.2.1', true)).toBe(true)
    }
  })

  test('does not count when the check itself failed', async () => {
    const broken = () => Promise.reject(new Error('the service is down'))
    for (let index = 0; index < 2 * PER_VISITOR.free; index += 1) {
      await expect(throttle.judge({ kind: 'login', subject: 'ann', address: '::1' }, broken)).rejects.toThrow('down')
    }
    expect(await guess('ann', '::1', true)).toBe(true)
  })

  test('AUTH-03 from one IPv6 network counts together', async () => {
    const inNetwork = (index: number) => `2001:db8:0:1:${index.toString(16)}::${index.toString(16)}`
    await Promise.all(Array.from({ length: PER_VISITOR.free }, (_, index) => guess('ann', inNetwork(index + 1))))
    expect(await guess('ann', '2001:db8:0:1::1', true)).toBe(PER_VISITOR.wait)
    expect(await guess('ann', '2001:db8:0:2::1', true)).toBe(true)
    expect(await guess('ann', '2001:db8::1', true)).toBe(true)
  })

  test('stores no name in the database', async () => {
    await fail(1, 'my-password-typed-here', '192.0.2.1')
    const rows = await db.selectFrom('guesses').selectAll().execute()
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toContain('my-password')
  })

  test('AUTH-01 is answered at fixed times, however long the check took', async () => {
    const timeOf = async (work: number) => {
      const began = performance.now()
      const judge = async () => {
        while (performance.now() < began + work);
        return undefined
      }
      await throttle.judge({ kind: 'login', subject: `${work}`, address: '::1' }, judge)
      return performance.now() - began
    }
    const times: Record<number, number[]> = { 5: [], 120: [] }
    for (let round = 0; round < 3; round += 1) {
      for (const work of [5, 120]) times[work]?.push(await timeOf(work))
    }
    // A busy machine only adds to a time.
    const [short, long] = [5, 120].map(work => Math.min(...(times[work] ?? [])))
    expect(Math.abs((short ?? 0) - (long ?? 0))).toBeLessThan(100)
  })
})

test('the number of stored guesses is limited', async () => {
  const now = Date.now()
  const keys = Array.from({ length: MOST_GUESSES + 1 }, (_, index) => `k${index}`)
  for (let index = 0; index < keys.length; index += 5000) {
    await countGuess(db, keys.slice(index, index + 5000), now, now + index + 1)
  }
  await sweepGuesses(db, now)
  const rows = await db.selectFrom('guesses').select('key').execute()
  expect(rows.length).toBeLessThan(MOST_GUESSES)
  expect(rows.map(({ key }) => key)).toContain(keys.at(-1))
})

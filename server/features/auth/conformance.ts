import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AuthSettings } from '../settings/auth-settings.ts'
import { countUsers } from '../users/users.store.ts'
import type { AuthMethod, LoginAttempt } from './method.ts'
import { type Ground, openGround } from './test-ground.ts'

/** A method set up on the test's ground, with attempts of every kind. */
export interface Setup {
  method: AuthMethod
  settings: AuthSettings
  /** Lets in the user called `ann`, or whoever `user` names. */
  good: LoginAttempt
  user?: string
  /** Somebody known with the wrong proof; missing where there is no such thing. */
  bad?: LoginAttempt
  /** Somebody unknown; missing where there is no such thing. */
  unknown?: LoginAttempt
}

/** Attempts of each kind whose time is compared. */
const ROUNDS = 7
/** Times one kind may take longer than the other on a busy machine. */
const TOLERANCE = 2
/** Milliseconds too small to tell anything. */
const NOISE = 15

const HOSTILE = [
  '',
  ' ',
  'x'.repeat(1024),
  '__proto__',
  'a\nhook.action=auth',
  'nul\0',
  '$(id)',
  '../..',
  '\u202eann',
  '%00',
]

/** What every way of signing in must keep to. */
export function conformance(name: string, setUp: (ground: Ground) => Promise<Setup>): void {
  describe(`signing in by ${name}`, () => {
    let ground: Ground
    let setup: Setup
    beforeEach(async () => {
      ground = await openGround()
      setup = await setUp(ground)
    })
    afterEach(() => ground.close())

    const judge = (attempt: LoginAttempt) => setup.method.authenticate(attempt, setup.settings)
    const refusal = (attempt: LoginAttempt) =>
      judge(attempt).then(
        () => 'let in',
        (error: Error) => error,
      )

    test('lets in whom it should', async () => {
      expect((await judge(setup.good)).username).toBe(setup.user ?? 'ann')
    })

    test('gives many at once the same account', async () => {
      const users = await Promise.all(Array.from({ length: 5 }, () => judge(setup.good)))
      expect(new Set(users.map(user => user.id)).size).toBe(1)
    })

    test('AUTH-01 gives one answer for wrong and for unknown', async () => {
      for (const attempt of [setup.bad, setup.unknown]) {
        if (attempt)
          expect(await refusal(attempt)).toMatchObject({ code: 'wrong_credentials', message: 'wrong_credentials' })
      }
    })

    test('AUTH-01 takes the same time for wrong and for unknown', async () => {
      const { bad, unknown } = setup
      if (!bad || !unknown) return
      const times: [number[], number[]] = [[], []]
      for (let round = 0; round < ROUNDS; round += 1) {
        times[0].push(await timeOf(() => refusal(bad)))
        times[1].push(await timeOf(() => refusal(unknown)))
      }
      const [shorter = 0, longer = 0] = times.map(median).sort((a, b) => a - b)
      expect(longer).toBeLessThan(shorter * TOLERANCE + NOISE)
    })

    test('lets nobody in by a hostile name or password, and makes no account', async () => {
      if (!setup.unknown) return
      const before = await countUsers(ground.db)
      for (const text of HOSTILE) {
        for (const [username, password] of [
          [text, text],
          ['ann', text],
          [text, 'x'],
        ]) {
          const attempt = { ...setup.unknown, username: username ?? '', password: password ?? '' }
          expect(await refusal(attempt)).toMatchObject({ code: 'wrong_credentials' })
        }
      }
      expect(await countUsers(ground.db)).toBe(before)
    })
  })
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

const median = (times: number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

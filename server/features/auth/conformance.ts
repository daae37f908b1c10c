import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AuthSettings } from '../settings/auth-settings.ts'
import { countUsers } from '../users/users.store.ts'
import type { AuthMethod, LoginAttempt } from './method.ts'
import { type AuthFixture, openFixture } from './test-fixture.ts'

/** A method set up on the test fixture, with attempts of every kind. */
export interface Setup {
  method: AuthMethod
  settings: AuthSettings
  /** Signs in the user `ann`, or the one that `user` names. */
  good: LoginAttempt
  user?: string
  /** A known user with the wrong credentials; absent where the method has no such case. */
  bad?: LoginAttempt
  /** An unknown user; absent where the method has no such case. */
  unknown?: LoginAttempt
}

/** Attempts of each kind that are timed. */
const ROUNDS = 7
/** How many times longer one kind may take on a busy machine. */
const TOLERANCE = 2
/** Milliseconds below which a difference is noise. */
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

/** The contract of every authentication method. */
export function conformance(name: string, setUp: (fixture: AuthFixture) => Promise<Setup>): void {
  describe(`signing in by ${name}`, () => {
    let fixture: AuthFixture
    let setup: Setup
    beforeEach(async () => {
      fixture = await openFixture()
      setup = await setUp(fixture)
    })
    afterEach(() => fixture.close())

    const judge = (attempt: LoginAttempt) => setup.method.authenticate(attempt, setup.settings)
    const refusal = (attempt: LoginAttempt) =>
      judge(attempt).then(
        () => 'let in',
        (error: Error) => error,
      )

    test('accepts valid credentials', async () => {
      expect((await judge(setup.good)).username).toBe(setup.user ?? 'ann')
    })

    test('gives many concurrent sign-ins the same account', async () => {
      const users = await Promise.all(Array.from({ length: 5 }, () => judge(setup.good)))
      expect(new Set(users.map(user => user.id)).size).toBe(1)
    })

    test('AUTH-01 gives the same answer for wrong credentials and an unknown user', async () => {
      for (const attempt of [setup.bad, setup.unknown]) {
        if (attempt)
          expect(await refusal(attempt)).toMatchObject({ code: 'wrong_credentials', message: 'wrong_credentials' })
      }
    })

    test('AUTH-01 takes the same time for wrong credentials and an unknown user', async () => {
      const { bad, unknown } = setup
      if (!bad || !unknown) return
      const times: [number[], number[]] = [[], []]
      for (let round = 0; round < ROUNDS; round += 1) {
        times[0].push(await timeOf(() => refusal(bad)))
        times[1].push(await timeOf(() => refusal(unknown)))
      }
      const [shorter = 0, longer = 0] = times.map(quickest).sort((a, b) => a - b)
      expect(longer).toBeLessThan(shorter * TOLERANCE + NOISE)
    })

    test('accepts no hostile name or password, and creates no account', async () => {
      if (!setup.unknown) return
      const before = await countUsers(fixture.db)
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
      expect(await countUsers(fixture.db)).toBe(before)
    })
  })
}

async function timeOf(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await act()
  return performance.now() - began
}

/** A busy machine only adds to a time. */
const quickest = (times: number[]): number => Math.min(...times)

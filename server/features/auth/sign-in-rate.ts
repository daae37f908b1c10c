import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { countMiss, sweepGuesses } from '../users/password-throttle.store.ts'
import { digest, networkOf } from '../users/password-throttle.ts'

const MINUTE = 60_000

/**
 * Limits how many sign-ins one network begins with a provider or a passkey.
 * @throws AppError `too_many_attempts`
 */
export async function countStart({ db }: { db: Db }, address: string): Promise<void> {
  const now = Date.now()
  const key = digest('provider', networkOf(address))
  const { failures, forget_at: endsAt } = await countMiss(db, key, now, now + MINUTE)
  if (failures <= LIMITS.loginFlowsOfNetwork) return
  await sweepGuesses(db, now)
  throw new AppError('too_many_attempts', 'too_many_attempts', { wait: Math.max(endsAt - now, 1000) })
}

import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { countMiss } from './password-throttle.store.ts'
import { digest } from './password-throttle.ts'

const HOUR = 3_600_000

/**
 * Limits what one account, address or network does, in the database, for all servers together.
 * @param key its parts, the first of which says what is done @param most in an hour
 * @throws AppError `too_many_attempts` with the wait
 */
export async function demandRate(db: Db, key: readonly string[], most: number): Promise<void> {
  const now = Date.now()
  const { failures, forget_at: endsAt } = await countMiss(db, digest(...key), now, now + HOUR)
  if (failures > most) throw new AppError('too_many_attempts', 'too_many_attempts', { wait: endsAt - now })
}

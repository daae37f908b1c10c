import { sql } from 'kysely'
import type { Db, GuessesTable } from '../../db/schema.ts'

/** Rows at once at most; beyond, those that were counted longest ago are forgotten. */
export const MOST_GUESSES = 20_000
/** How many are forgotten at a time, so that it need not be done for each. */
const FORGOTTEN_AT_ONCE = 1000

/** What is remembered under some keys, in no order. */
export async function readGuesses(db: Db, keys: readonly string[], now: number): Promise<GuessesTable[]> {
  return db.selectFrom('guesses').selectAll().where('key', 'in', keys).where('forget_at', '>', now).execute()
}

/** Counts one more failure under each key. @param forgetAt when they are forgotten unless more follow */
export async function countGuess(db: Db, keys: readonly string[], now: number, forgetAt: number): Promise<void> {
  const rows = keys.map(key => ({ key, failures: 1, last_at: now, forget_at: forgetAt }))
  await db
    .insertInto('guesses')
    .values(rows)
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({
        failures: sql`case when guesses.forget_at <= ${now} then 1 else guesses.failures + 1 end`,
        last_at: now,
        forget_at: forgetAt,
      }),
    )
    .execute()
}

/**
 * Counts one more failure under a key, in a time that begins with the first.
 * @param endsAt when that time is over, if it begins now
 * @returns how many there were in it, and when it is over
 */
export async function countMiss(
  db: Db,
  key: string,
  now: number,
  endsAt: number,
): Promise<Pick<GuessesTable, 'failures' | 'forget_at'>> {
  const isOver = sql<boolean>`guesses.forget_at <= ${now}`
  return db
    .insertInto('guesses')
    .values({ key, failures: 1, last_at: now, forget_at: endsAt })
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({
        failures: sql`case when ${isOver} then 1 else guesses.failures + 1 end`,
        last_at: now,
        forget_at: sql`case when ${isOver} then ${endsAt} else guesses.forget_at end`,
      }),
    )
    .returning(['failures', 'forget_at'])
    .executeTakeFirstOrThrow()
}

/** Takes one failure back under each key. */
export async function uncountGuess(db: Db, keys: readonly string[]): Promise<void> {
  await db
    .updateTable('guesses')
    .set({ failures: sql`failures - 1` })
    .where('key', 'in', keys)
    .where('failures', '>', 0)
    .execute()
}

/** Remembers a key, whatever was there, until a time. */
export async function keepGuess(db: Db, key: string, now: number, forgetAt: number): Promise<void> {
  const row = { failures: 0, last_at: now, forget_at: forgetAt }
  await db
    .insertInto('guesses')
    .values({ key, ...row })
    .onConflict(conflict => conflict.column('key').doUpdateSet(row))
    .execute()
}

export async function dropGuess(db: Db, key: string): Promise<void> {
  await db.deleteFrom('guesses').where('key', '=', key).execute()
}

/** Forgets what means nothing any more and, of too many, those that would be forgotten next. */
export async function sweepGuesses(db: Db, now: number): Promise<void> {
  await db.deleteFrom('guesses').where('forget_at', '<=', now).execute()
  const { count } = await db
    .selectFrom('guesses')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count <= MOST_GUESSES) return
  const next = db
    .selectFrom('guesses')
    .select('key')
    .orderBy('forget_at')
    .limit(count - MOST_GUESSES + FORGOTTEN_AT_ONCE)
  await db.deleteFrom('guesses').where('key', 'in', next).execute()
}

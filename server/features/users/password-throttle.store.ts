import { sql } from 'kysely'
import type { Db, GuessesTable } from '../../db/schema.ts'

/** The most rows; beyond, those counted longest ago are deleted. */
export const MOST_GUESSES = 20_000
/** Rows deleted at a time, so that not every failure deletes. */
const FORGOTTEN_AT_ONCE = 1000

/** The rows of some keys, in no order. */
export async function readGuesses(db: Db, keys: readonly string[], now: number): Promise<GuessesTable[]> {
  return db.selectFrom('guesses').selectAll().where('key', 'in', keys).where('forget_at', '>', now).execute()
}

/** Counts one more failure under each key. @param forgetAt when the counters expire unless more failures follow */
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
 * Counts one more failure under a key, in a window that begins with the first.
 * @param endsAt when the window ends, if it begins now
 * @returns the failures in the window, and when it ends
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

/** Takes back one failure under each key. */
export async function uncountGuess(db: Db, keys: readonly string[]): Promise<void> {
  await db
    .updateTable('guesses')
    .set({ failures: sql`failures - 1` })
    .where('key', 'in', keys)
    .where('failures', '>', 0)
    .execute()
}

/** Stores a key, whatever was there, until a time. */
export async function storeGuess(db: Db, key: string, now: number, forgetAt: number): Promise<void> {
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

/** Deletes expired rows and, if there are too many, those that expire next. */
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

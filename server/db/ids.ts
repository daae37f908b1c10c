import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Db } from './schema.ts'

/** Whether a database is one of PostgreSQL. */
export const isOnPostgres = (db: Pick<Kysely<unknown>, 'getExecutor'>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter

/** The highest id that any user has or had; nobody else ever gets one up to it. */
export async function highestUserId(db: Db): Promise<number> {
  const given = isOnPostgres(db)
    ? sql<{ seq: number }>`select last_value as seq from users_id_seq where is_called`
    : sql<{ seq: number }>`select seq from sqlite_sequence where name = 'users'`
  const { rows } = await given.execute(db)
  return rows[0]?.seq ?? 0
}

/** Keeps an id that was chosen from being given to a newcomer, which SQLite sees to by itself. */
export async function noteUserId(db: Db, id: number): Promise<void> {
  if (!isOnPostgres(db) || id <= (await highestUserId(db))) return
  await sql`select setval('users_id_seq', ${id})`.execute(db)
}

import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Db } from './schema.ts'

/** Whether a database is PostgreSQL. */
export const isOnPostgres = (db: Pick<Kysely<unknown>, 'getExecutor'>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter

/** The highest id that any user has or had; new users get higher ones. */
export async function highestUserId(db: Db): Promise<number> {
  const given = isOnPostgres(db)
    ? sql<{ seq: number }>`select last_value as seq from users_id_seq where is_called`
    : sql<{ seq: number }>`select seq from sqlite_sequence where name = 'users'`
  const { rows } = await given.execute(db)
  return rows[0]?.seq ?? 0
}

/** Reserves an id, and all up to it, so that no new user gets it. */
export async function noteUserId(db: Db, id: number): Promise<void> {
  if (id <= (await highestUserId(db))) return
  if (isOnPostgres(db)) return void (await sql`select setval('users_id_seq', ${id})`.execute(db))
  await sql`delete from sqlite_sequence where name = 'users'`.execute(db)
  await sql`insert into sqlite_sequence (name, seq) values ('users', ${id})`.execute(db)
}

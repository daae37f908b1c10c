import { sql } from 'kysely'
import { isOnPostgres } from './ids.ts'
import type { Db } from './schema.ts'

/** Keeps others from changing users, settings and links until a transaction ends; reading goes on. */
export async function lockForChanges(transaction: Db): Promise<void> {
  if (isOnPostgres(transaction)) {
    await sql`lock table users, settings, shares in share row exclusive mode`.execute(transaction)
    return
  }
  // Takes SQLite's write lock before anything is read, which a transaction that begins with reading cannot do later.
  await transaction.deleteFrom('users').where('id', '=', -1).execute()
}

/** A transaction that sees the database as it is at its beginning, whatever others write meanwhile. */
export const atOneMoment = (db: Db) =>
  isOnPostgres(db) ? db.transaction().setIsolationLevel('repeatable read') : db.transaction()

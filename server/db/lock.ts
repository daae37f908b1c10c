import { sql } from 'kysely'
import { isOnPostgres } from './ids.ts'
import type { Db } from './schema.ts'

/** Blocks other writers to users, settings and share links until the transaction ends; reading continues. */
export async function lockForChanges(transaction: Db): Promise<void> {
  if (isOnPostgres(transaction)) {
    await sql`lock table users, settings, shares in share row exclusive mode`.execute(transaction)
    return
  }
  // Takes SQLite's write lock before the first read; a transaction that begins with a read cannot take it later.
  await transaction.deleteFrom('users').where('id', '=', -1).execute()
}

/** A transaction that reads one snapshot of the database, unaffected by concurrent writes. */
export const inSnapshot = (db: Db) =>
  isOnPostgres(db) ? db.transaction().setIsolationLevel('repeatable read') : db.transaction().setAccessMode('read only')

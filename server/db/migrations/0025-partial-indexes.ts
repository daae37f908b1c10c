import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/** Indexes only of rows that have a value: most rows of the journal lack it, and each write of a file adds rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const target = isOnPostgres(db) ? sql`left(target, 600)` : sql`target`
  const columns = [
    ['changes_gesture', true, 'changes', sql`user_id, gesture`, 'gesture'],
    ['changes_job', true, 'changes', sql`job`, 'job'],
    ['changes_undoes', false, 'changes', sql`undoes`, 'undoes'],
    ['change_steps_kept', false, 'change_steps', sql`kept`, 'kept'],
    ['change_steps_audit', false, 'change_steps', sql`audit`, 'audit'],
    ['change_steps_target', false, 'change_steps', target, 'target'],
    ['kept_object', false, 'kept', sql`object, id`, 'object'],
  ] as const
  for (const [name, isUnique, table, what, column] of columns) {
    await db.schema.dropIndex(name).execute()
    const unique = isUnique ? sql`unique` : sql``
    const [index, rows, value] = [sql.ref(name), sql.table(table), sql.ref(column)]
    await sql`create ${unique} index ${index} on ${rows} (${what}) where ${value} is not null`.execute(db)
  }
}

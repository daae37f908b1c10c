import type { Kysely } from 'kysely'

/** The current token of a session, and the address and client it is used from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['token_id', 'previous_id', 'address', 'agent']) {
    await db.schema
      .alterTable('sessions')
      .addColumn(column, 'text', definition => definition.notNull().defaultTo(''))
      .execute()
  }
  for (const column of ['rotated_at', 'seen_at']) {
    await db.schema
      .alterTable('sessions')
      .addColumn(column, 'bigint', definition => definition.notNull().defaultTo(0))
      .execute()
  }
}

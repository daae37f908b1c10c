import type { Kysely } from 'kysely'

/** A recipient shares on what they have by a grant: it ends with that one, and with the account that shares it on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('grants')
    .addColumn('via', 'text', column => column.references('grants.hash').onDelete('cascade'))
    .execute()
  await db.schema
    .alterTable('grants')
    .addColumn('giver_id', 'integer', column => column.references('users.id').onDelete('cascade'))
    .execute()
  for (const column of ['via', 'giver_id'])
    await db.schema.createIndex(`grants_${column}`).on('grants').column(column).execute()
}

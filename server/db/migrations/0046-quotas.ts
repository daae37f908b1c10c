import type { Kysely } from 'kysely'

/** Quotas of users and groups, what the folders hold that they limit, and what is reserved there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['users', 'groups'])
    await db.schema.alterTable(table).addColumn('quota_bytes', 'bigint').execute()
  await db.schema
    .createTable('quota_meters')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('folder', 'text', column => column.notNull())
    .addColumn('bytes', 'bigint', column => column.notNull().defaultTo(0))
    .addColumn('held', 'bigint', column => column.notNull().defaultTo(0))
    .addColumn('grown', 'bigint', column => column.notNull().defaultTo(0))
    .addColumn('changes', 'bigint', column => column.notNull().defaultTo(0))
    .addColumn('trees', 'bigint', column => column.notNull().defaultTo(0))
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('counted_at', 'bigint')
    .execute()
  await db.schema
    .createTable('quota_holds')
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('meter', 'text', column => column.notNull().references('quota_meters.id').onDelete('cascade'))
    .addColumn('bytes', 'bigint', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('owner', 'text', column => column.notNull())
    .addColumn('heartbeat', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('quota_holds_pkey', ['id', 'meter'])
    .execute()
  await db.schema.createIndex('quota_holds_of').on('quota_holds').column('meter').execute()
}

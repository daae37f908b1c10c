import type { Kysely } from 'kysely'

/** Images of the host that administrators uploaded. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('branding_images')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('type', 'text', column => column.notNull())
    .addColumn('content', 'text', column => column.notNull())
    .addColumn('size', 'integer', column => column.notNull())
    .addColumn('width', 'integer', column => column.notNull())
    .addColumn('height', 'integer', column => column.notNull())
    .addColumn('version', 'text', column => column.notNull())
    .addColumn('changed_at', 'bigint', column => column.notNull())
    .execute()
}

import type { Kysely } from 'kysely'

/** Folders of further roots, and to whom they are given. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mounts')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('folded', 'text', column => column.notNull().unique())
    .addColumn('root', 'text', column => column.notNull())
    .addColumn('folder', 'text', column => column.notNull())
    .addColumn('read_only', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('mount_access')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('mount', 'text', column => column.notNull().references('mounts.id').onDelete('cascade'))
    .addColumn('to_user', 'integer', column => column.references('users.id').onDelete('cascade'))
    .addColumn('to_group', 'text', column => column.references('groups.id').onDelete('cascade'))
    .addColumn('rights', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  for (const column of ['to_user', 'to_group'])
    await db.schema
      .createIndex(`mount_access_${column}`)
      .unique()
      .on('mount_access')
      .columns([column, 'mount'])
      .execute()
  await db.schema.createIndex('mount_access_mount').on('mount_access').column('mount').execute()
}

import { type Kysely, sql } from 'kysely'

/** Tags of users and shared ones, and the files and folders that have them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('tags')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('user_id', 'integer', column => column.references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('name_key', 'text', column => column.notNull())
    .addColumn('colour', 'text', column => column.notNull())
    .execute()
  // No user has the id 0: a null would differ from every other one.
  await sql`create unique index tags_name on tags (coalesce(user_id, 0), name_key)`.execute(db)
  await db.schema
    .createTable('object_tags')
    .addColumn('object', 'text', column => column.notNull())
    .addColumn('tag', 'text', column => column.notNull().references('tags.id').onDelete('cascade'))
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('by_user', 'integer', column => column.notNull())
    .addPrimaryKeyConstraint('object_tags_pkey', ['object', 'tag'])
    .execute()
  await db.schema.createIndex('object_tags_tag').on('object_tags').columns(['tag', 'object']).execute()
}

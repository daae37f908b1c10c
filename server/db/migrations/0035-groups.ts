import type { Kysely } from 'kysely'

/** Groups of users with their members; the epoch of a user counts changes of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('groups')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('name_key', 'text', column => column.notNull().unique())
    .addColumn('description', 'text', column => column.notNull().defaultTo(''))
    .addColumn('position', 'integer', column => column.notNull())
    .addColumn('perm', 'text', column => column.notNull())
    .addColumn('rules', 'text', column => column.notNull().defaultTo('[]'))
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('modified_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('group_members')
    .addColumn('group_id', 'text', column => column.notNull().references('groups.id').onDelete('cascade'))
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('source', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addPrimaryKeyConstraint('group_members_pkey', ['group_id', 'user_id', 'source'])
    .execute()
  await db.schema.createIndex('group_members_user').on('group_members').column('user_id').execute()
  await db.schema
    .alterTable('users')
    .addColumn('access_epoch', 'bigint', definition => definition.notNull().defaultTo(0))
    .execute()
  await insertEveryone(db as Kysely<{ groups: Record<string, unknown> }>)
}

/** The built-in group; it gives nothing until an administrator says what. */
async function insertEveryone(db: Kysely<{ groups: Record<string, unknown> }>): Promise<void> {
  const now = Date.now()
  const names = { id: 'everyone', name: 'everyone', name_key: 'everyone', description: '' }
  await db
    .insertInto('groups')
    .values({ ...names, position: 0, perm: '{}', rules: '[]', created_at: now, modified_at: now })
    .execute()
}

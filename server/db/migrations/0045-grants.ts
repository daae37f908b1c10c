import type { Kysely } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/** Files and folders that users share with other users and groups, and the name that each recipient sees them by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('grants')
    .addColumn('hash', 'text', column => column.primaryKey())
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('path', 'text', column => column.notNull())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('canonical', 'text', column => column.notNull())
    .addColumn('identity', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('leaving', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('suspended', 'text')
    .addColumn('to_user', 'integer', column => column.references('users.id').onDelete('cascade'))
    .addColumn('to_group', 'text', column => column.references('groups.id').onDelete('cascade'))
    .addColumn('rights', 'text', column => column.notNull())
    .addColumn('note', 'text', column => column.notNull().defaultTo(''))
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  for (const column of ['user_id', 'to_user', 'to_group', 'suspended'])
    await db.schema.createIndex(`grants_${column}`).on('grants').column(column).execute()
  // An index of PostgreSQL would not take every path.
  if (!isOnPostgres(db)) await db.schema.createIndex('grants_canonical').on('grants').column('canonical').execute()
  await db.schema
    .createTable('grant_names')
    .addColumn('grant', 'text', column => column.notNull().references('grants.hash').onDelete('cascade'))
    .addColumn('user_id', 'integer', column => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('left_at', 'bigint')
    .addPrimaryKeyConstraint('grant_names_pkey', ['grant', 'user_id'])
    .execute()
  await db.schema.createIndex('grant_names_name').unique().on('grant_names').columns(['user_id', 'name']).execute()
}

import type { Kysely } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/** Areas of deleted things, the things in them, and links that wait for a deleted target to return. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('areas')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('identity', 'text', column => column.notNull())
    .addColumn('made_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema
    .createTable('kept')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('area', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('identity', 'text', column => column.notNull())
    .addColumn('is_folder', 'integer', column => column.notNull())
    .addColumn('size', 'bigint', column => column.notNull())
    .addColumn('entries', 'integer')
    .addColumn('modified', 'double precision', column => column.notNull())
    .addColumn('mode', 'integer', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('username', 'text', column => column.notNull())
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('reason', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('gone_at', 'bigint')
    .addColumn('gone_why', 'text')
    .execute()
  await db.schema.createIndex('kept_state').on('kept').columns(['state', 'kind', 'at']).execute()
  await db.schema.createIndex('kept_user').on('kept').columns(['kind', 'user_id', 'at']).execute()
  // As with `shares_place`, an index of PostgreSQL would not take every path.
  if (!isOnPostgres(db)) await db.schema.createIndex('kept_place').on('kept').column('place').execute()
  await db.schema.alterTable('shares').addColumn('suspended', 'text').execute()
}

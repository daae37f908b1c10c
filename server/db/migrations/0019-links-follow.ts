import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/**
 * What a share link needs to follow the replacement of its target: the target's real path and its kind. For existing
 * links the path is taken as the real path, and a trailing slash marks a folder.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const add = (name: string, type: 'text' | 'integer', value: string | number) =>
    db.schema
      .alterTable('shares')
      .addColumn(name, type, column => column.notNull().defaultTo(value))
      .execute()
  await add('canonical', 'text', '')
  await add('kind', 'text', 'file')
  await add('leaving', 'integer', 0)
  await sql`update shares set canonical = place`.execute(db)
  await sql`update shares set kind = 'folder' where path like '%/'`.execute(db)
  await db.schema.dropIndex('shares_identity').execute()
  // As with `shares_place`, an index of PostgreSQL would not take every path.
  if (!isOnPostgres(db)) await db.schema.createIndex('shares_canonical').on('shares').column('canonical').execute()
}

import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/**
 * What a link needs to go on with what replaces its object: the real place of that, and its kind. Of links that are there
 * already the name is taken for the real place, and a slash at the end of the path tells a folder.
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
  // As of `shares_place`, an index of PostgreSQL would not take each path.
  if (!isOnPostgres(db)) await db.schema.createIndex('shares_canonical').on('shares').column('canonical').execute()
}

import { type Kysely, sql } from 'kysely'

/** Names of links in their addresses, and limits of their downloads. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('shares').addColumn('slug', 'text').execute()
  await db.schema.alterTable('shares').addColumn('max_downloads', 'bigint').execute()
  await sql`create unique index shares_slug on shares (slug) where slug is not null`.execute(db)
}

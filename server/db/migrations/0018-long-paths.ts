import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/**
 * An index entry of PostgreSQL takes at most 2.7 kB of text, which paths and typed names can exceed: there indexes hold
 * digests, or are dropped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isOnPostgres(db)) return
  await db.schema.dropIndex('shares_place').execute()
  await db.schema.dropIndex('audit_username').execute()
  await db.schema.dropIndex('uploads_place').execute()
  await sql`create unique index uploads_place on uploads (user_id, md5(path))`.execute(db)
  await byDigest(db, 'staging_places', 'place')
  await byDigest(db, 'made_folders', 'folder')
}

/** Identifies rows by the digest of a path, which also serves as the conflict target. */
async function byDigest(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  const path = sql.ref(column)
  await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(`${table}_pkey`)}`.execute(db)
  await sql`alter table ${sql.table(table)} add column digest text generated always as (md5(${path})) stored primary key`.execute(
    db,
  )
}

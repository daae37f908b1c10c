import { type Kysely, sql } from 'kysely'

/** When office editors first used their tokens; those from before count as used, which no finding is about. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('office_tokens').addColumn('used_at', 'bigint').execute()
  await sql`update office_tokens set used_at = expires_at`.execute(db)
}

import { type Kysely, sql } from 'kysely'

/**
 * What was proven when a session began, and when its user last confirmed to be present. Sign-ins that are a
 * confirmation were one when their sessions began.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const sessions = () => db.schema.alterTable('sessions')
  await sessions()
    .addColumn('factors', 'text', column => column.notNull().defaultTo(''))
    .execute()
  await sessions()
    .addColumn('confirmed_at', 'bigint', column => column.notNull().defaultTo(0))
    .execute()
  await sql`update sessions set confirmed_at = created_at where way in ('oidc', 'ldap', 'passkey')`.execute(db)
}

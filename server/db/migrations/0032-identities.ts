import type { Kysely } from 'kysely'

/** Identities of users at OpenID providers, sign-ins under way, and the provider of a session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('identities')
    .addColumn('issuer', 'text', column => column.notNull())
    .addColumn('subject', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.references('users.id').onDelete('set null'))
    .addColumn('username', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('seen_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('identities_pkey', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('identities_user').on('identities').columns(['user_id', 'issuer']).unique().execute()
  await db.schema
    .createTable('login_flows')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('provider', 'text', column => column.notNull())
    .addColumn('binding', 'text', column => column.notNull())
    .addColumn('data', 'text', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute()
  await db.schema.createIndex('login_flows_expiry').on('login_flows').column('expires_at').execute()
  await db.schema
    .createTable('logout_tokens_seen')
    .addColumn('issuer', 'text', column => column.notNull())
    .addColumn('jti', 'text', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('logout_tokens_seen_pkey', ['issuer', 'jti'])
    .execute()
  for (const column of ['provider', 'provider_sid', 'id_token']) {
    await db.schema
      .alterTable('sessions')
      .addColumn(column, 'text', definition => definition.notNull().defaultTo(''))
      .execute()
  }
  await db.schema
    .alterTable('sessions')
    .addColumn('ends_at', 'bigint', definition => definition.notNull().defaultTo(0))
    .execute()
}

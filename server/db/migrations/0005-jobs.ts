import type { Kysely } from 'kysely'

/** Jobs, which outlive the request that created them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('jobs')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('session_id', 'text', column => column.notNull())
    .addColumn('scope', 'text', column => column.notNull())
    .addColumn('payload', 'text', column => column.notNull())
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('code', 'text')
    .addColumn('stop', 'integer', column => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('run_at', 'bigint', column => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('owner', 'text')
    .addColumn('heartbeat', 'bigint', column => column.notNull().defaultTo(0))
    .addColumn('progress', 'text', column => column.notNull())
    .execute()
  await db.schema.createIndex('jobs_due').on('jobs').columns(['state', 'run_at']).execute()
  await db.schema.createIndex('jobs_user').on('jobs').column('user_id').execute()
  await db.schema
    .createTable('job_items')
    .addColumn('job_id', 'text', column => column.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('position', 'integer', column => column.notNull())
    .addColumn('source', 'text', column => column.notNull())
    .addColumn('target', 'text')
    .addColumn('conflict', 'text')
    .addColumn('state', 'text', column => column.notNull())
    .addColumn('code', 'text')
    .addColumn('journal', 'text')
    .addPrimaryKeyConstraint('job_items_key', ['job_id', 'position'])
    .execute()
}

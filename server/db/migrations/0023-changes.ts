import { type Kysely, sql } from 'kysely'
import { isOnPostgres } from '../ids.ts'

/** Changes to files by users, and the effects of each, so that they can be listed and undone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('changes')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('at', 'bigint', column => column.notNull())
    .addColumn('ended_at', 'bigint', column => column.notNull())
    .addColumn('user_id', 'integer', column => column.notNull())
    .addColumn('username', 'text', column => column.notNull())
    .addColumn('way', 'text', column => column.notNull())
    .addColumn('session', 'text', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('gesture', 'text')
    .addColumn('job', 'text')
    .addColumn('undoes', 'text')
    .addColumn('undone_by', 'text')
    .addColumn('folder', 'text', column => column.notNull())
    .addColumn('steps', 'integer', column => column.notNull())
    .addColumn('undoable', 'integer', column => column.notNull())
    .addColumn('bytes', 'bigint', column => column.notNull())
    .addColumn('facts', 'text', column => column.notNull())
    .execute()
  await db.schema
    .createTable('change_steps')
    .addColumn('change', 'text', column => column.notNull())
    .addColumn('position', 'integer', column => column.notNull())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('place', 'text', column => column.notNull())
    .addColumn('target', 'text')
    .addColumn('is_folder', 'integer', column => column.notNull())
    .addColumn('was', 'text')
    .addColumn('made', 'text')
    .addColumn('stamp', 'text')
    .addColumn('kept', 'text')
    .addColumn('reverts', 'integer')
    .addColumn('audit', 'bigint')
    .addColumn('state', 'text', column => column.notNull())
    .addPrimaryKeyConstraint('change_steps_pkey', ['change', 'position'])
    .execute()
  await db.schema.createIndex('changes_user').on('changes').columns(['user_id', 'id']).execute()
  await db.schema.createIndex('changes_gesture').on('changes').columns(['user_id', 'gesture']).unique().execute()
  await db.schema.createIndex('changes_job').on('changes').column('job').unique().execute()
  await db.schema.createIndex('changes_undoes').on('changes').column('undoes').execute()
  await db.schema.createIndex('change_steps_kept').on('change_steps').column('kept').execute()
  await db.schema.createIndex('change_steps_audit').on('change_steps').column('audit').execute()
  await sql`create index change_steps_open on change_steps (change) where state = 'open'`.execute(db)
  // An index of PostgreSQL takes texts of at most 2.7 kB.
  const [place, target] = isOnPostgres(db) ? [sql`left(place, 600)`, sql`left(target, 600)`] : [sql`place`, sql`target`]
  await sql`create index change_steps_place on change_steps (${place})`.execute(db)
  await sql`create index change_steps_target on change_steps (${target})`.execute(db)
}

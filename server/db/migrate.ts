import { Migrator } from 'kysely/migration'
import { MIGRATIONS } from './migrations/index.ts'
import type { Db } from './schema.ts'

/** Brings the schema up to date. @throws the migration's own error */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** A migration that only a later release knows, if a database has seen one. */
export const newerThanKnown = (applied: readonly string[]): string | undefined =>
  applied.find(name => !Object.hasOwn(MIGRATIONS, name))

import { Migrator } from 'kysely/migration'
import { MIGRATIONS } from './migrations/index.ts'
import type { Db } from './schema.ts'

/** Migrates the schema to the latest version. @throws the migration's own error */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** An applied migration that this release does not know, if there is one. */
export const newerThanKnown = (applied: readonly string[]): string | undefined =>
  applied.find(name => !Object.hasOwn(MIGRATIONS, name))

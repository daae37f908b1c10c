import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { AppError } from '../errors.ts'
import { MIGRATIONS } from './migrations/index.ts'
import type { Db, Schema } from './schema.ts'
import { inspectSqlite, sqliteDialect } from './sqlite.ts'

export interface OpenedDb {
  db: Db
  /** Whether the database was made just now, by this start. */
  isNew: boolean
}

const markerOf = (file: string) => `${file}.keep`

/**
 * Opens the SQLite file and brings its schema up to date. State is private: files 0600, a folder made for it 0700.
 *
 * A marker file beside the database remembers that it was set up. With the marker but without the database (or with an
 * empty one, or a damaged one) the start is refused: a lost database must never look like a first run, which would hand out a new
 * administrator over the old folder.
 * @throws AppError `unavailable` with a sentence for the console
 */
export async function openDb(file: string): Promise<OpenedDb> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const state = existsSync(file) && statSync(file).size > 0 ? inspectSqlite(file) : 'empty'
  if (state === 'broken') throw new AppError('unavailable', brokenDatabase(file))
  if (state === 'empty' && existsSync(markerOf(file))) throw new AppError('unavailable', lostDatabase(file))
  closeSync(openSync(file, 'a', 0o600))
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file) })
  await migrate(db)
  chmodSync(file, 0o600)
  if (!existsSync(markerOf(file))) writeFileSync(markerOf(file), MARKER_TEXT, { mode: 0o600 })
  return { db, isNew: state === 'empty' }
}

/** Whether a database was set up here once, even if it has gone missing since (opening it then says so). */
export const wasSetUp = (file: string): boolean =>
  existsSync(markerOf(file)) || (existsSync(file) && statSync(file).size > 0)

/** Brings the schema up to date. @throws the migration's own error */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

const MARKER_TEXT = `This file says that the database beside it was set up. Keep the two together.
If the database is lost, restore it from a backup. To start over with a new, empty one, delete this file.
`

function brokenDatabase(file: string): string {
  return `${file} is no Filigree database, or it is damaged. Restore it from a backup, or name another file with --database.`
}

function lostDatabase(file: string): string {
  return (
    `The database ${file} is missing or empty, but it was set up before. Restore it from a backup and start again.\n` +
    `To start over with no users and a new administrator, delete ${markerOf(file)} first.`
  )
}

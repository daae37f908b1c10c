import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { AppError } from '../errors.ts'
import { MIGRATIONS } from './migrations/index.ts'
import type { Db, Schema } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'

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
 * empty one) the start is refused: a lost database must never look like a first run, which would hand out a new
 * administrator over the old folder.
 * @throws AppError `unavailable` with a sentence for the console
 */
export async function openDb(file: string): Promise<OpenedDb> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const isNew = !existsSync(file) || statSync(file).size === 0
  if (isNew && existsSync(markerOf(file))) throw new AppError('unavailable', lostDatabase(file))
  if (isNew) closeSync(openSync(file, 'a', 0o600))
  const db = await openSqliteDb(file)
  chmodSync(file, 0o600)
  if (!existsSync(markerOf(file))) writeFileSync(markerOf(file), MARKER_TEXT, { mode: 0o600 })
  return { db, isNew }
}

async function openSqliteDb(file: string): Promise<Db> {
  if (!looksLikeSqlite(file)) {
    throw new AppError('unavailable', `${file} is not a Filigree database. Name another file with --database.`)
  }
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file) })
  await migrate(db)
  return db
}

function looksLikeSqlite(file: string): boolean {
  const descriptor = openSync(file, 'r')
  try {
    const head = Buffer.alloc(15)
    const length = readSync(descriptor, head, 0, head.length, 0)
    return length === 0 || head.toString('latin1') === 'SQLite format 3'
  } finally {
    closeSync(descriptor)
  }
}

/** Brings the schema up to date. @throws the migration's own error */
export async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

const MARKER_TEXT = `This file says that the database beside it was set up. Keep the two together.
If the database is lost, restore it from a backup. To start over with a new, empty one, delete this file.
`

function lostDatabase(file: string): string {
  return (
    `The database ${file} is missing or empty, but it was set up before. Restore it from a backup and start again.\n` +
    `To start over with no users and a new administrator, delete ${markerOf(file)} first.`
  )
}

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { AppError } from '../errors.ts'
import { isPostgres } from './address.ts'
import { copyDb } from './backup.ts'
import { migrate, newerThanKnown } from './migrate.ts'
import { MIGRATIONS } from './migrations/index.ts'
import { openPostgres, peekPostgres, wasSetUpInPostgres } from './open-postgres.ts'
import type { OpenedDb, Schema } from './schema.ts'
import { inspectSqlite, migrationsIn, peekSqlite, sqliteDialect } from './sqlite.ts'

const markerOf = (file: string) => `${file}.keep`

/**
 * Opens a database of either engine and migrates its schema.
 * @param database path of an SQLite file, or URL of a PostgreSQL database
 * @param stateDir folder for this machine's notes about a remote database
 * @throws AppError `unavailable` with a sentence for the console
 */
export async function openDb(database: string, stateDir?: string): Promise<OpenedDb> {
  return isPostgres(database) ? openPostgres(database, stateDir) : openSqliteFile(database)
}

/**
 * Opens the SQLite file and migrates its schema. State is private: files 0600, a folder created for it 0700.
 *
 * A marker file next to the database records that it was set up. With the marker but without the database (or with an
 * empty or corrupt one) the start is refused: a lost database must never look like a first run, which would create a
 * new administrator for the existing files.
 * @throws AppError `unavailable` with a sentence for the console
 */
async function openSqliteFile(file: string): Promise<OpenedDb> {
  const state = demandSound(file, { make: true })
  if (state === 'sound') await keepBeforeUpgrade(file)
  closeSync(openSync(file, 'a', 0o600))
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file) })
  await migrate(db)
  chmodSync(file, 0o600)
  if (!existsSync(markerOf(file))) writeFileSync(markerOf(file), MARKER_TEXT, { mode: 0o600 })
  return { db, isNew: state === 'empty' }
}

/** Why a database is not opened. */
export type DatabaseFault = 'damaged' | 'foreign' | 'lost' | 'closed'

/** A database that must not be opened, with a sentence for the console. */
export class DatabaseError extends AppError {
  readonly fault: DatabaseFault
  constructor(fault: DatabaseFault, message: string, options?: ErrorOptions) {
    super('unavailable', message, options)
    this.fault = fault
  }
}

/**
 * The state of the database at a path: valid, or absent.
 * @param how `make` creates the folder for one
 * @throws DatabaseError for a corrupt, foreign, lost or unreadable one
 */
export function demandSound(file: string, { make = false } = {}): 'sound' | 'empty' {
  demandWritable(file, make)
  const state = existsSync(file) && statSync(file).size > 0 ? inspectSqlite(file) : 'empty'
  if (state === 'broken') throw isFileBrowserDb(file) ? foreignDatabase(file) : damagedDatabase(file)
  if (state === 'empty' && existsSync(markerOf(file))) throw lostDatabase(file)
  return state
}

/** SQLite also writes next to its file. @throws DatabaseError `closed` */
function demandWritable(file: string, make: boolean): void {
  const folder = dirname(file)
  try {
    if (make) mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (existsSync(folder)) accessSync(folder, constants.W_OK | constants.X_OK)
    if (existsSync(file)) accessSync(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw closedDatabase(file, error)
  }
}

/** Bytes 16 to 19 of a bolt file, in which File Browser stores users and settings. */
const BOLT_MAGIC = 'edda0ced'

/** Whether a file looks like a database of File Browser. */
export function isFileBrowserDb(path: string): boolean {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(20)
    return readSync(file, head) === head.length && head.toString('hex', 16) === BOLT_MAGIC
  } finally {
    closeSync(file)
  }
}

/** Keeps a copy from before the schema change next to the database, so that the previous release can be used again. */
async function keepBeforeUpgrade(file: string): Promise<void> {
  const applied = migrationsIn(file)
  const known = Object.keys(MIGRATIONS)
  const newer = newerThanKnown(applied)
  if (newer !== undefined) throw new AppError('unavailable', newerDatabase(file, newer))
  const [next] = known.filter(name => !applied.includes(name))
  if (next !== undefined && applied.length > 0) await copyDb(file, `${file}.before-${next}`)
}

/**
 * Whether a database was set up once, even if the file is missing since (opening it then reports that).
 * @throws AppError `unavailable` with a sentence for the console when this cannot be determined
 */
export async function wasSetUp(database: string): Promise<boolean> {
  return (await isThere(database)) || (!isPostgres(database) && existsSync(markerOf(database)))
}

/** Whether a non-empty database exists. @throws AppError as above */
export async function isThere(database: string): Promise<boolean> {
  if (isPostgres(database)) return wasSetUpInPostgres(database)
  return existsSync(database) && statSync(database).size > 0
}

/**
 * Settings of a database that is not opened yet: their stored texts by name. None when there is no such database;
 * opening it reports why.
 */
export async function peekSettings(database: string): Promise<Map<string, string>> {
  return isPostgres(database) ? peekPostgres(database) : peekSqlite(database)
}

const MARKER_TEXT = `This file records that the database next to it was set up. Keep the two together.
If the database is lost, restore it from a backup. To start over with a new, empty one, delete this file.
`

function foreignDatabase(file: string): DatabaseError {
  const sentence = `${file} is a File Browser database. Import it with: filigree adopt ${file}`
  return new DatabaseError('foreign', `${sentence}\nThen name a database of its own with --database.`)
}

function damagedDatabase(file: string): DatabaseError {
  const sentence = `${file} is not a Filigree database, or it is damaged.`
  return new DatabaseError('damaged', `${sentence} Restore it from a backup, or name another file with --database.`)
}

function closedDatabase(file: string, cause: unknown): DatabaseError {
  const sentence =
    `The database ${file} cannot be written by this account. Users, sessions and links live in it: let the account write\n` +
    'the file and its folder, or name another with --database.'
  return new DatabaseError('closed', sentence, { cause })
}

function newerDatabase(file: string, newer: string): string {
  return (
    `The database ${file} was used by a newer Filigree (${newer}). Start that one, or go back to the state before it with:\n` +
    `filigree restore ${file}.before-${newer}`
  )
}

function lostDatabase(file: string): DatabaseError {
  const sentence =
    `The database ${file} is missing or empty, but it was set up before. Restore it from a backup and start again.\n` +
    `To start over with no users and a new administrator, delete ${markerOf(file)} first.`
  return new DatabaseError('lost', sentence)
}

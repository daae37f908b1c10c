import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { AppError } from '../errors.ts'
import { shownDatabase } from './address.ts'
import { APPLICATION } from './connection.ts'
import { migrate, newerThanKnown } from './migrate.ts'
import { postgresDialect, stateOf } from './postgres.ts'
import type { Db, OpenedDb, Schema } from './schema.ts'

/**
 * Opens a PostgreSQL database and migrates its schema; instances that do so concurrently wait for each other.
 * @param stateDir folder of this machine with a marker that the database was set up: an empty database in its place is
 *   refused, since it would create a new administrator for the existing files
 * @throws AppError `unavailable` with a sentence for the console
 */
export async function openPostgres(address: string, stateDir: string | undefined): Promise<OpenedDb> {
  const db = connect(address)
  try {
    const applied = await migrationsOf(db)
    const marker = stateDir === undefined ? undefined : markerIn(stateDir, address)
    demandUsable(applied, marker)
    await migrate(db)
    if (marker !== undefined) keep(marker)
    return { db, isNew: applied.length === 0 }
  } catch (thrown) {
    await db.destroy()
    throw withSentence(address, thrown)
  }
}

/** Whether a database was set up there. @throws AppError `unavailable` with a sentence for the console */
export async function wasSetUpInPostgres(address: string): Promise<boolean> {
  return within(address, async db => (await migrationsOf(db)).length > 0)
}

/** The stored settings by name; none when they cannot be read: opening the database reports why. */
export async function peekPostgres(address: string): Promise<Map<string, string>> {
  try {
    const rows = await within(address, db => db.selectFrom('settings').selectAll().execute())
    return new Map(rows.map(({ name, value }) => [name, value]))
  } catch {
    return new Map()
  }
}

/** The number of connections that servers and commands have to a database. @throws AppError as above */
export async function countServersOn(address: string): Promise<number> {
  return within(address, async db => {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name = ${APPLICATION} and pid <> pg_backend_pid()`.execute(db)
    return rows[0]?.count ?? 0
  })
}

async function within<T>(address: string, act: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(address)
  try {
    return await act(db)
  } catch (thrown) {
    throw withSentence(address, thrown)
  } finally {
    await db.destroy()
  }
}

const connect = (address: string): Db => new Kysely<Schema>({ dialect: postgresDialect(address) })

/** Names of the applied migrations, oldest first. @throws AppError for a database of another program */
async function migrationsOf(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(db)
  const names = tables.map(({ name }) => name)
  if (!names.includes('kysely_migration')) {
    if (names.includes('users') || names.includes('settings')) throw new AppError('unavailable', FOREIGN)
    return []
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

function demandUsable(applied: readonly string[], marker: string | undefined): void {
  const newer = newerThanKnown(applied)
  if (newer !== undefined)
    throw new AppError('unavailable', `It was used by a newer Filigree (${newer}). Start that one.`)
  if (applied.length === 0 && marker !== undefined && existsSync(marker)) {
    throw new AppError(
      'unavailable',
      `It is empty, but it was set up before. Restore it with pg_restore and start again.\nTo start over with no users and a new administrator, delete ${marker} first.`,
    )
  }
}

function markerIn(stateDir: string, address: string): string {
  const name = createHash('sha256').update(shownDatabase(address)).digest('hex').slice(0, 12)
  return join(stateDir, `database-${name}.keep`)
}

function keep(marker: string): void {
  if (existsSync(marker)) return
  mkdirSync(dirname(marker), { recursive: true, mode: 0o700 })
  writeFileSync(marker, MARKER_TEXT, { mode: 0o600 })
}

const MARKER_TEXT = `This file records that the database of this server was set up. To start over with a new, empty one, delete this file.
`
const FOREIGN = 'It contains tables of another program. Create a separate database for Filigree.'

/** Messages for the console, by SQLSTATE. */
const OBSTACLES: Readonly<Record<string, string>> = {
  '28000': 'It refuses this user. Check the address, and pg_hba.conf.',
  '28P01': 'It refuses the user or the password. Check the address, or set PGPASSWORD.',
  '3D000': 'There is no such database. Create it with createdb.',
  '42501': 'The user may not create tables in it. Give it a database of its own (createdb --owner).',
  '53300': 'It accepts no more connections. Raise max_connections.',
  '57P03': 'It is starting or stopping. Try again in a moment.',
}

function withSentence(address: string, thrown: unknown): unknown {
  const start = `The database ${shownDatabase(address)} cannot be used.`
  if (thrown instanceof AppError && thrown.message !== thrown.code) {
    return new AppError(thrown.code, `${start} ${thrown.message}`, { cause: thrown })
  }
  const cause = thrown instanceof AppError ? thrown.cause : thrown
  const state = stateOf(cause)
  const obstacle = state === undefined ? `It cannot be reached (${reasonOf(cause)}).` : OBSTACLES[state]
  if (obstacle === undefined) return thrown
  return new AppError('unavailable', `${start} ${obstacle}`, { cause: thrown })
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && 'code' in error) return String(error.code)
  return error instanceof Error ? error.message : String(error)
}

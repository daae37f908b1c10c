import { backup, DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { SqliteAdapter, type SqliteDatabase, SqliteDialect } from 'kysely'
import { AppError, type ErrorCode } from '../errors.ts'
import { FlushedFile } from './group-fsync.ts'
import { type FlushedSqlite, SqliteDriver } from './sqlite-driver.ts'
import { demandStorable } from './text.ts'

/**
 * The runtime's own SQLite as Kysely expects one. WAL for readers beside the writer. What was written is on the disk before
 * it is told: a session that was ended must stay ended after a power cut.
 */
export function sqliteDialect(file: string): SqliteDialect {
  return new Dialect(openSqlite(file))
}

/** SQLite changes schemas in transactions: an upgrade that is killed has changed nothing. Kysely does not count on that. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }

  /** Our driver knows itself who has to wait for whom. */
  override get supportsMultipleConnections() {
    return true
  }
}

class Dialect extends SqliteDialect {
  readonly #database: FlushedSqlite

  constructor(database: FlushedSqlite) {
    super({ database })
    this.#database = database
  }

  override createDriver() {
    return new SqliteDriver(this.#database)
  }

  override createAdapter() {
    return new Adapter()
  }
}

function openSqlite(file: string): FlushedSqlite {
  const database = new DatabaseSync(file, { timeout: 5000 })
  const log = logOf(database, file)
  database.exec('pragma foreign_keys = on')
  database.exec('pragma trusted_schema = off')
  const prepared = new Map<string, Prepared>()
  return {
    prepare(sql) {
      const known = prepared.get(sql) ?? prepare(database, sql)
      // What was used last is at the end.
      prepared.delete(sql)
      prepared.set(sql, known)
      if (prepared.size > KEPT) prepared.delete(prepared.keys().next().value ?? sql)
      return known
    },
    flush: () => log?.flush() ?? Promise.resolve(),
    close() {
      prepared.clear()
      log?.close()
      database.close()
    },
  }
}

/**
 * The write-ahead log, which we bring to the disk ourselves: SQLite would keep the event loop waiting for that. With `normal`
 * it still flushes whenever the order of writes matters. Nothing where the system has no such log.
 */
function logOf(database: DatabaseSync, file: string): FlushedFile | undefined {
  const mode = database.prepare('pragma journal_mode = wal').get()
  const hasLog = mode?.journal_mode === 'wal'
  database.exec(`pragma synchronous = ${hasLog ? 'normal' : 'full'}`)
  return hasLog ? new FlushedFile(`${file}-wal`) : undefined
}

type Prepared = ReturnType<SqliteDatabase['prepare']>

/** Statements that need not be understood anew: most requests ask the same few. */
const KEPT = 200

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql)
  return {
    reader: statement.columns().length > 0,
    all: parameters => translating(() => statement.all(...values(parameters))),
    run: parameters => translating(() => statement.run(...values(parameters))),
    // One that others ask meanwhile would begin anew.
    iterate: parameters => database.prepare(sql).iterate(...values(parameters)),
  }
}

/** What a result code of SQLite means to somebody who asked for something at the wrong moment. */
const MEANINGS: Readonly<Record<number, ErrorCode>> = {
  // Busy for longer than the timeout, and a full disk.
  5: 'unavailable',
  13: 'no_space',
  // What a row belongs to is gone: the only foreign keys are those to the user who acts.
  787: 'unauthorized',
  // Somebody else was first: primary key, unique.
  1555: 'exists',
  2067: 'exists',
}

function translating<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    const code = error instanceof Error && 'errcode' in error ? MEANINGS[Number(error.errcode)] : undefined
    throw code === undefined ? error : new AppError(code, code, { cause: error })
  }
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  demandStorable(parameters)
  return parameters as SQLInputValue[]
}

/** The stored texts of the settings by their names; nothing when there is no such database. */
export function peekSqlite(file: string): Map<string, string> {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
    const rows = database.prepare('select name, value from settings').all()
    return new Map(rows.map(({ name, value }) => [String(name), String(value)]))
  } catch {
    return new Map()
  } finally {
    database?.close()
  }
}

const ALL_PAGES = 0x7fff_ffff

/** Writes a whole copy of a database, which may be in use. */
export async function copySqlite(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { timeout: 5000 })
  try {
    // All pages in one step: in several, a change meanwhile begins it anew.
    await backup(source, to, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
}

/** Makes a database that nobody has open a single file, with nothing beside it. */
export function makeSingle(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = delete')
  database.close()
}

/** Names of the migrations that a database has seen, oldest first; none for one that is not ours. */
export function migrationsIn(file: string): string[] {
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    const found = database.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get()
    if (!found) return []
    return database
      .prepare('select name from kysely_migration order by name')
      .all()
      .map(({ name }) => String(name))
  } finally {
    database.close()
  }
}

/** What an existing file is before anything is done to it: a sound database with tables, one without any, or neither. */
export function inspectSqlite(file: string): 'sound' | 'empty' | 'broken' {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: 5000 })
    const [verdict] = database.prepare('pragma quick_check(1)').all()
    if (verdict?.quick_check !== 'ok') return 'broken'
    return database.prepare('select 1 from sqlite_schema limit 1').get() ? 'sound' : 'empty'
  } catch {
    return 'broken'
  } finally {
    database?.close()
  }
}

import { backup, DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  type LimitNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteQueryCompiler,
  ValueNode,
} from 'kysely'
import { AppError, type ErrorCode } from '../errors.ts'
import { FlushedFile } from './group-fsync.ts'
import { type FlushedSqlite, SqliteDriver } from './sqlite-driver.ts'
import { demandStorable } from './text.ts'

/**
 * Node's SQLite as a Kysely dialect. WAL, for readers concurrent with the writer. Writes are on the disk before they
 * are reported: a revoked session must stay revoked after a power cut.
 */
export function sqliteDialect(file: string): SqliteDialect {
  return new Dialect(openSqlite(file))
}

/** SQLite changes schemas in transactions: an interrupted upgrade has changed nothing. Kysely does not assume that. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true
  }

  /** Our driver does its own locking. */
  override get supportsMultipleConnections() {
    return true
  }
}

class Compiler extends SqliteQueryCompiler {
  /** A limit is part of the text: SQLite plans a statement again for each run whose limit is a value. */
  protected override visitLimit(node: LimitNode): void {
    const { limit } = node
    super.visitLimit(ValueNode.is(limit) ? { ...node, limit: { ...limit, immediate: true } as ValueNode } : node)
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

  override createQueryCompiler() {
    return new Compiler()
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
      // The most recently used is last.
      prepared.delete(sql)
      prepared.set(sql, known)
      if (prepared.size > KEPT) prepared.delete(prepared.keys().next().value ?? sql)
      return known
    },
    isInTransaction: () => database.isTransaction,
    flush: () => log?.flush().catch(unflushed) ?? Promise.resolve(),
    close() {
      prepared.clear()
      log?.close()
      database.close()
    },
  }
}

/**
 * The write-ahead log, which we flush ourselves: SQLite would block the event loop for that. With `normal` it still
 * flushes where the order of writes matters. Undefined where the system has no WAL.
 */
function logOf(database: DatabaseSync, file: string): FlushedFile | undefined {
  const mode = database.prepare('pragma journal_mode = wal').get()
  const hasLog = mode?.journal_mode === 'wal'
  database.exec(`pragma synchronous = ${hasLog ? 'normal' : 'full'}`)
  return hasLog ? new FlushedFile(`${file}-wal`) : undefined
}

type Prepared = ReturnType<SqliteDatabase['prepare']>

/** Prepared statements: most requests run the same few. */
const KEPT = 200

function prepare(database: DatabaseSync, sql: string): Prepared {
  const statement = database.prepare(sql)
  return {
    reader: statement.columns().length > 0,
    all: parameters => translating(() => statement.all(...values(parameters))),
    run: parameters => translating(() => statement.run(...values(parameters))),
    // An iterator that is in use would be reset by another caller.
    iterate: parameters => database.prepare(sql).iterate(...values(parameters)),
  }
}

/** What an SQLite result code means to the caller. */
const MEANINGS: Readonly<Record<number, ErrorCode>> = {
  // Busy beyond the timeout; a file that became read-only; a failing disk; a file that cannot be opened.
  5: 'unavailable',
  8: 'unavailable',
  10: 'unavailable',
  14: 'unavailable',
  13: 'no_space',
  // A referenced row is deleted: the only foreign keys are those to the acting user.
  787: 'unauthorized',
  // A concurrent insert won: primary key, unique.
  1555: 'exists',
  2067: 'exists',
}

function translating<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    const result = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
    // The low byte of an extended result code is the general one.
    const code = MEANINGS[result] ?? MEANINGS[result & 0xff]
    throw code === undefined ? error : new AppError(code, code, { cause: error })
  }
}

function unflushed(cause: unknown): never {
  const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC'
  const code = isFull ? 'no_space' : 'unavailable'
  throw new AppError(code, code, { cause })
}

function values(parameters: readonly unknown[]): SQLInputValue[] {
  demandStorable(parameters)
  return parameters as SQLInputValue[]
}

/** The stored settings by name; none when there is no such database. */
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

/** Writes a complete copy of a database, which may be in use. */
export async function copySqlite(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { timeout: 5000 })
  try {
    // All pages in one step: with several, a concurrent change restarts the copy.
    await backup(source, to, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
}

/** Folds a database that no process has open into a single file, without side files. */
export function makeSingle(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = delete')
  database.close()
}

/** Names of the applied migrations, oldest first; none for a database of another program. */
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

/** The state of an existing file before it is touched: a valid database with tables, one without any, or neither. */
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

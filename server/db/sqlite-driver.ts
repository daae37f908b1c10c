import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  type TransactionSettings,
} from 'kysely'

/** An open database, and how its writes are flushed to the disk. */
export interface FlushedSqlite extends Pick<SqliteDatabase, 'close' | 'prepare'> {
  isInTransaction(): boolean
  /** Settles when everything written until now is on the disk. */
  flush(): Promise<void>
}

/**
 * One connection for all callers in this process. Statements are synchronous, so callers wait for each other only while
 * a transaction is open. A write is reported once it is on the disk; the event loop continues during the flush, and
 * concurrent writers share one.
 */
export class SqliteDriver implements Driver {
  readonly #database: FlushedSqlite
  readonly #lock = new TransactionLock()
  readonly #writes: Writes
  /** Whether the open transaction has written. */
  #hasWritten = false

  constructor(database: FlushedSqlite) {
    this.#database = database
    this.#writes = new Writes(() => database.flush())
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const wrote = () => {
      this.#hasWritten = true
    }
    return new Connection(this.#database, this.#lock, this.#writes, wrote)
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings = {}): Promise<void> {
    await this.#lock.take(connection)
    this.#hasWritten = false
    try {
      // One that read before it writes could not write any more once another process has written meanwhile.
      await connection.executeQuery(CompiledQuery.raw(accessMode === 'read only' ? 'begin' : 'begin immediate'))
    } catch (thrown) {
      this.#lock.release(connection)
      throw thrown
    }
  }

  /** A commit is visible and stays; a flush that fails afterwards is only reported. */
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
    if (this.#hasWritten) this.#writes.add()
    this.#lock.release(connection)
    await this.#writes.flushed()
  }

  /** Also called after a failed flush, when another caller may have a transaction open. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (!this.#lock.isOf(connection)) return
    try {
      // After some failures of the disk SQLite has rolled back itself.
      if (this.#database.isInTransaction()) await connection.executeQuery(CompiledQuery.raw('rollback'))
    } finally {
      this.#lock.release(connection)
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#lock.release(connection)
  }

  async destroy(): Promise<void> {
    this.#database.close()
  }
}

/** Writes that may not be on the disk yet. */
class Writes {
  readonly #flush: () => Promise<void>
  /** One from the start: a killed process may have left writes that others see. */
  #written = 1
  #flushed = 0

  /** @param flush settles when everything written until now is on the disk */
  constructor(flush: () => Promise<void>) {
    this.#flush = flush
  }

  /** A write is visible to others. */
  add(): void {
    this.#written += 1
  }

  /** Settles when all writes are on the disk: at once where none is missing. */
  async flushed(): Promise<void> {
    const written = this.#written
    if (written === this.#flushed) return
    await this.#flush()
    this.#flushed = Math.max(this.#flushed, written)
  }
}

/** Statements that leave nothing to flush. */
const HARMLESS = /^\s*(?:select|pragma|begin|commit|rollback)\b/i
/** Statements that leave nothing to flush either where they touch no row. */
const ROWS = /^\s*(?:insert|update|delete)\b/i

/** The connection of a transaction, or of a statement outside one. */
class Connection implements DatabaseConnection {
  readonly #database: FlushedSqlite
  readonly #lock: TransactionLock
  readonly #writes: Writes
  readonly #wroteInTransaction: () => void

  constructor(database: FlushedSqlite, lock: TransactionLock, writes: Writes, wroteInTransaction: () => void) {
    this.#database = database
    this.#lock = lock
    this.#writes = writes
    this.#wroteInTransaction = wroteInTransaction
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const isInTransaction = this.#lock.isOf(this)
    while (this.#lock.isOfAnother(this)) await this.#lock.next()
    const result = this.#execute<R>(sql, parameters)
    if (HARMLESS.test(sql)) return result
    const isWritten = !ROWS.test(sql) || result.rows.length > 0 || (result.numAffectedRows ?? 0n) > 0n
    if (isInTransaction) {
      if (isWritten) this.#wroteInTransaction()
      return result
    }
    if (isWritten) this.#writes.add()
    await this.#writes.flushed()
    return result
  }

  #execute<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const statement = this.#database.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(parameters)
    return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('rows are read a page at a time')
  }
}

/** The connection with an open transaction. */
class TransactionLock {
  #owner: DatabaseConnection | undefined
  #waiting: (() => void)[] = []

  isOf(connection: DatabaseConnection): boolean {
    return this.#owner === connection
  }

  isOfAnother(connection: DatabaseConnection): boolean {
    return this.#owner !== undefined && this.#owner !== connection
  }

  async take(connection: DatabaseConnection): Promise<void> {
    while (this.isOfAnother(connection)) await this.next()
    this.#owner = connection
  }

  /** Settles when a transaction has ended; another one may have begun by then. */
  next(): Promise<void> {
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  /** A no-op for a connection without a transaction. */
  release(connection: DatabaseConnection): void {
    if (!this.isOf(connection)) return
    this.#owner = undefined
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}

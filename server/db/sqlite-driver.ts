import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, type SqliteDatabase } from 'kysely'

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

  constructor(database: FlushedSqlite) {
    this.#database = database
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Connection(this.#database, this.#lock)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#lock.take(connection)
    try {
      await connection.executeQuery(CompiledQuery.raw('begin'))
    } catch (thrown) {
      this.#lock.release(connection)
      throw thrown
    }
  }

  /** A commit is visible and stays; a flush that fails afterwards is only reported. */
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
    this.#lock.release(connection)
    await this.#database.flush()
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

/** Statements that leave nothing to flush. */
const HARMLESS = /^\s*(?:select|pragma)\b/i

/** The connection of a transaction, or of a statement outside one. */
class Connection implements DatabaseConnection {
  readonly #database: FlushedSqlite
  readonly #lock: TransactionLock

  constructor(database: FlushedSqlite, lock: TransactionLock) {
    this.#database = database
    this.#lock = lock
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const isInTransaction = this.#lock.isOf(this)
    while (this.#lock.isOfAnother(this)) await this.#lock.next()
    const result = this.#execute<R>(sql, parameters)
    if (!isInTransaction && !HARMLESS.test(sql)) await this.#database.flush()
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

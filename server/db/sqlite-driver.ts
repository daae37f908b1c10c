import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult, type SqliteDatabase } from 'kysely'

/** An open database, and how what was written gets to its disk. */
export interface FlushedSqlite extends Pick<SqliteDatabase, 'close' | 'prepare'> {
  /** Settles when all that was written until now is on the disk. */
  flush(): Promise<void>
}

/**
 * One database for all who ask in this process. A statement is done in one go, so nobody waits for others but while somebody
 * has a transaction open. What was written is told once it is on the disk; the event loop goes on meanwhile, and those who
 * wrote at the same time share a flush.
 */
export class SqliteDriver implements Driver {
  readonly #database: FlushedSqlite
  readonly #turns = new Turns()

  constructor(database: FlushedSqlite) {
    this.#database = database
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new Connection(this.#database, this.#turns)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#turns.take(connection)
    try {
      await connection.executeQuery(CompiledQuery.raw('begin'))
    } catch (thrown) {
      this.#turns.giveBack(connection)
      throw thrown
    }
  }

  /** What is committed stays, and others see it: a flush that fails afterwards is only told. */
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
    this.#turns.giveBack(connection)
    await this.#database.flush()
  }

  /** Also asked for after a flush that failed, when somebody else may have a transaction open. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (!this.#turns.isOf(connection)) return
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'))
    } finally {
      this.#turns.giveBack(connection)
    }
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#turns.giveBack(connection)
  }

  async destroy(): Promise<void> {
    this.#database.close()
  }
}

/** Statements after which there is nothing to be brought to the disk. */
const HARMLESS = /^\s*(?:select|pragma)\b/i

/** What a transaction, or a statement outside of one, asks through. */
class Connection implements DatabaseConnection {
  readonly #database: FlushedSqlite
  readonly #turns: Turns

  constructor(database: FlushedSqlite, turns: Turns) {
    this.#database = database
    this.#turns = turns
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const isInTransaction = this.#turns.isOf(this)
    while (this.#turns.isOfAnother(this)) await this.#turns.next()
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

/** Who has a transaction open. */
class Turns {
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

  /** Harmless for one that has none open. */
  giveBack(connection: DatabaseConnection): void {
    if (!this.isOf(connection)) return
    this.#owner = undefined
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }
}

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'

export type Row = Record<string, SQLOutputValue>

/** The statements of an open database, each prepared once. */
export class Statements {
  readonly #db: DatabaseSync
  readonly #prepared = new Map<string, StatementSync>()

  constructor(db: DatabaseSync) {
    this.#db = db
  }

  one(sql: string, ...values: SQLOutputValue[]): Row | undefined {
    return this.#statement(sql).get(...values)
  }

  all(sql: string, ...values: SQLOutputValue[]): Row[] {
    return this.#statement(sql).all(...values)
  }

  /** @returns the id of the last inserted row */
  run(sql: string, ...values: SQLOutputValue[]): number {
    const statement = this.#statement(sql)
    // The trigram index's own rows have numbers beyond JavaScript's exact range.
    statement.setReadBigInts(true)
    return Number(statement.run(...values).lastInsertRowid)
  }

  /** Existing grams with a prefix, from an fts5vocab table. */
  termsFrom(table: 'terms' | 'text_terms', start: string, most: number): string[] {
    const sql = `select term from ${table} where term >= ? and term < ? limit ?`
    return this.all(sql, start, `${start}\u{10ffff}`, most).map(row => String(row.term))
  }

  /** Rows changed since the database was opened. */
  changes(): number {
    return Number(this.one('select total_changes() as count')?.count)
  }

  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#db.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }
}

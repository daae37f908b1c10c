import type { CompiledQuery, Insertable } from 'kysely'
import type { Db, Schema } from './schema.ts'

/** Statements by table and columns, for each database. */
const compiled = new WeakMap<object, Map<string, CompiledQuery>>()

/** Adds one row. The statement is built only once: that takes several times as long as to run it. */
export async function insertRow<T extends keyof Schema>(
  db: Db,
  table: T,
  row: Insertable<Schema[T]> & object,
): Promise<void> {
  const given = Object.entries(row).filter(([, value]) => value !== undefined)
  const key = [table, ...given.map(([column]) => column)].join(' ')
  const query = statementsOf(db).get(key) ?? db.insertInto(table).values(row).compile()
  statementsOf(db).set(key, query)
  await db.executeQuery({ ...query, parameters: given.map(([, value]) => value) })
}

/** Adds rows, so many in a statement at most. */
export async function insertRows<T extends keyof Schema>(
  db: Db,
  table: T,
  rows: readonly (Insertable<Schema[T]> & object)[],
  most: number,
): Promise<void> {
  const [row, ...more] = rows
  if (row && more.length === 0) return insertRow(db, table, row)
  for (let at = 0; at < rows.length; at += most) {
    await db
      .insertInto(table)
      .values(rows.slice(at, at + most))
      .execute()
  }
}

/** A transaction has the adapter of its database. */
function statementsOf(db: Db): Map<string, CompiledQuery> {
  const { adapter } = db.getExecutor()
  const known = compiled.get(adapter) ?? new Map<string, CompiledQuery>()
  compiled.set(adapter, known)
  return known
}

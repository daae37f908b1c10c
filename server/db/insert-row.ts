import type { CompiledQuery, Insertable } from 'kysely'
import type { Db, Schema } from './schema.ts'

/** Rows for which a statement is kept: those of requests at the same time. */
const FEW = 8

/** Statements by table, columns and number of rows, for each database. */
const compiled = new WeakMap<object, Map<string, CompiledQuery>>()

/** Adds one row. The statement is built only once: that takes several times as long as to run it. */
export async function insertRow<T extends keyof Schema>(
  db: Db,
  table: T,
  row: Insertable<Schema[T]> & object,
): Promise<void> {
  await insertFew(db, table, [row])
}

/** Adds one row unless there is one with a key of it. @returns whether it was added */
export async function insertNewRow<T extends keyof Schema>(
  db: Db,
  table: T,
  row: Insertable<Schema[T]> & object,
): Promise<boolean> {
  return (await insertFew(db, table, [row], 'new')) > 0n
}

/** The same for a few rows with the same columns in the same order. */
async function insertFew<T extends keyof Schema>(
  db: Db,
  table: T,
  rows: readonly (Insertable<Schema[T]> & object)[],
  which: 'all' | 'new' = 'all',
): Promise<bigint> {
  const given = rows.map(row => Object.entries(row).filter(([, value]) => value !== undefined))
  const key = [table, ...(given[0] ?? []).map(([column]) => column), rows.length, which].join(' ')
  const all = () => db.insertInto(table).values(rows)
  const build = () => (which === 'all' ? all() : all().onConflict(conflict => conflict.doNothing()))
  const query = statementsOf(db).get(key) ?? build().compile()
  statementsOf(db).set(key, query)
  const parameters = given.flatMap(row => row.map(([, value]) => value))
  return (await db.executeQuery({ ...query, parameters })).numAffectedRows ?? 0n
}

const columnsOf = (row: object): string =>
  Object.entries(row)
    .flatMap(([column, value]) => (value === undefined ? [] : [column]))
    .join(' ')

/** Adds rows, so many in a statement at most. */
export async function insertRows<T extends keyof Schema>(
  db: Db,
  table: T,
  rows: readonly (Insertable<Schema[T]> & object)[],
  most: number,
): Promise<void> {
  const columns = new Set(rows.map(columnsOf))
  if (rows.length > 0 && rows.length <= FEW && columns.size === 1) return void (await insertFew(db, table, rows))
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

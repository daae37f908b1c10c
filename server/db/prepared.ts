import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './schema.ts'

/**
 * A query for one row by one value that is built and compiled once for each database: for what every request reads.
 * @param build the query with the value as its only parameter
 */
export function prepared<V extends string | number, R>(
  build: (db: Db, value: V) => Compilable<R>,
): (db: Db, value: V) => Promise<R | undefined> {
  const compiled = new WeakMap<Db, CompiledQuery<R>>()
  return async (db, value) => {
    const query = compiled.get(db) ?? build(db, value).compile()
    compiled.set(db, query)
    const { rows } = await db.executeQuery<R>({ ...query, parameters: [value] })
    return rows[0]
  }
}

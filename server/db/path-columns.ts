import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isOnPostgres } from './ids.ts'
import { storedBelow, toStored } from './paths.ts'

/** Characters of a path that an index of PostgreSQL has. */
const INDEXED = 600

type Database = Pick<Kysely<never>, 'getExecutor'>

/** The expression that has an index. */
const indexed = (db: Database, column: string) =>
  isOnPostgres(db) ? sql`left(${sql.ref(column)}, ${sql.lit(INDEXED)})` : sql.ref(column)

/** Whether a column has one of some paths. */
export function isOneOf(db: Database, column: string, paths: readonly string[]): RawBuilder<SqlBool> {
  const stored = paths.map(toStored)
  const starts = sql`${indexed(db, column)} in (${sql.join(stored.map(path => path.slice(0, INDEXED)))})`
  return sql<SqlBool>`(${starts} and ${sql.ref(column)} in (${sql.join(stored)}))`
}

/** Whether a column has a path, or one below it. */
export function isAtOrBelow(db: Database, column: string, folder: string): RawBuilder<SqlBool> {
  const start = indexed(db, column)
  // '0' follows '/', so these are all texts that start with the prefix.
  const below = storedBelow(folder).map(prefix => {
    const [first, last] = [prefix, `${prefix.slice(0, -1)}0`].map(text => text.slice(0, INDEXED))
    return sql`(${start} >= ${first} and ${start} <= ${last} and substr(${sql.ref(column)}, 1, length(${prefix})) = ${prefix})`
  })
  return sql<SqlBool>`(${sql.join([isOneOf(db, column, [folder]), ...below], sql` or `)})`
}

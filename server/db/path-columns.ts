import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { isOnPostgres } from './ids.ts'
import { storedBelow, toStored } from './paths.ts'

/** Characters of a path that an index of PostgreSQL has. */
const INDEXED = 600

type Database = Pick<Kysely<never>, 'getExecutor'>

/** The expression that has an index. */
const indexed = (db: Database, column: string) =>
  isOnPostgres(db) ? sql`left(${sql.ref(column)}, ${sql.lit(INDEXED)})` : sql.ref(column)

/** What the indexed expression is compared with. */
const startOf = (db: Database, stored: string): string => (isOnPostgres(db) ? stored.slice(0, INDEXED) : stored)

/** A path as `isPath` compares it: as it is stored, and as much of it as an index has. */
export function pathValues(db: Database, path: string): { stored: string; start: string } {
  const stored = toStored(path)
  return { stored, start: startOf(db, stored) }
}

/** Whether a column has a path, given as `pathValues`; for statements that are built once. */
export const isPath = (
  db: Database,
  column: string,
  { stored, start }: ReturnType<typeof pathValues>,
): RawBuilder<SqlBool> => sql<SqlBool>`(${indexed(db, column)} = ${start} and ${sql.ref(column)} = ${stored})`

/** Whether a column has one of some paths. */
export function isOneOf(db: Database, column: string, paths: readonly string[]): RawBuilder<SqlBool> {
  const stored = paths.map(toStored)
  const starts = sql`${indexed(db, column)} in (${sql.join(stored.map(path => startOf(db, path)))})`
  return sql<SqlBool>`(${starts} and ${sql.ref(column)} in (${sql.join(stored)}))`
}

/** Whether a column has a path, or one below it. */
export function isAtOrBelow(db: Database, column: string, folder: string): RawBuilder<SqlBool> {
  const start = indexed(db, column)
  // '0' follows '/', so these are all texts that start with the prefix.
  const below = storedBelow(folder).map(prefix => {
    const [first, last] = [prefix, `${prefix.slice(0, -1)}0`].map(text => startOf(db, text))
    return sql`(${start} >= ${first} and ${start} <= ${last} and substr(${sql.ref(column)}, 1, length(${prefix})) = ${prefix})`
  })
  return sql<SqlBool>`(${sql.join([isOneOf(db, column, [folder]), ...below], sql` or `)})`
}

/** Whether a stored path is directly in a folder. */
export function isChildOf(db: Database, column: string, folder: string): RawBuilder<SqlBool> {
  const slashes = folder === '/' ? 1 : folder.split('/').length
  const depth = sql`length(${sql.ref(column)}) - length(replace(${sql.ref(column)}, '/', ''))`
  return sql<SqlBool>`(${isAtOrBelow(db, column, folder)} and ${depth} = ${slashes})`
}

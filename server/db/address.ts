/** Whether a database is given as a PostgreSQL URL; anything else is the path of an SQLite file. */
export const isPostgres = (database: string): boolean => /^postgres(?:ql)?:\/\//i.test(database)

/** A database's name for messages and logs: a URL without its password and options. */
export function shownDatabase(database: string): string {
  if (!isPostgres(database)) return database
  if (!URL.canParse(database)) return 'postgres://…'
  const address = new URL(database)
  address.password = ''
  address.search = ''
  return address.href
}

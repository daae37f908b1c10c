/** Whether a database is named by an address of PostgreSQL; anything else is the path of an SQLite file. */
export const isPostgres = (database: string): boolean => /^postgres(?:ql)?:\/\//i.test(database)

/** How a database is called in sentences and logs: an address without its password and its options. */
export function shownDatabase(database: string): string {
  if (!isPostgres(database)) return database
  if (!URL.canParse(database)) return 'postgres://…'
  const address = new URL(database)
  address.password = ''
  address.search = ''
  return address.href
}

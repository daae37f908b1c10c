import type { Arguments } from '../config/flags.ts'
import { type Config, namedDatabase, resolveConfig } from '../config.ts'
import { isPostgres, shownDatabase } from '../db/address.ts'
import { lockForChanges } from '../db/lock.ts'
import { openDb, wasSetUp } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { choosePasswordCost } from '../features/users/password.ts'
import { storedForCommands } from './stored.ts'

const OF_THE_HOST = ['database', 'config', 'root']

/**
 * The configuration that a command works on. Only database, config and root are taken from its flags.
 * @param stored the settings in a database
 */
export async function hostOf({ flags }: Pick<Arguments, 'flags'>, stored = storedForCommands): Promise<Config> {
  const own = new Map([...flags].filter(([name]) => OF_THE_HOST.includes(name)))
  const remembered = await stored(namedDatabase(own))
  return resolveConfig(own, undefined, () => remembered)
}

/**
 * Runs `act` on an existing database. A server may use it concurrently.
 * @throws AppError `not_found`, with the command that creates one
 */
export async function withDb<T>(
  given: Pick<Arguments, 'flags'>,
  act: (db: Db, config: Config) => Promise<T>,
): Promise<T> {
  const config = await hostOf(given)
  await demandDatabase(config.database)
  return inDb(config, act)
}

/** The same, but creates a missing database. */
export async function inDb<T>(config: Config, act: (db: Db, config: Config) => Promise<T>): Promise<T> {
  choosePasswordCost(config.passwordCost)
  const { db } = await openDb(config.database)
  try {
    return await act(db, config)
  } finally {
    await db.destroy()
  }
}

/** @throws AppError `not_found`, with the command that creates one */
export async function demandDatabase(database: string): Promise<void> {
  if (await wasSetUp(database)) return
  const sentence = `There is no database ${shownDatabase(database)}. Create one with: filigree config init`
  throw new AppError('not_found', sentence)
}

/** @throws AppError `unsupported` for PostgreSQL, naming the program to use instead */
export function demandFile(database: string, program: string): void {
  if (!isPostgres(database)) return
  throw new AppError('unsupported', `${shownDatabase(database)} is a PostgreSQL database. Use ${program} instead.`)
}

/**
 * Runs several changes in one exclusive transaction.
 * @returns what `act` returned
 */
export function inTransaction<T>(db: Db, act: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async transaction => {
    await lockForChanges(transaction)
    return act(transaction)
  })
}

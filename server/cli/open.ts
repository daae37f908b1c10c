import type { Arguments } from '../config/flags.ts'
import { type Config, resolveConfig } from '../config.ts'
import { openDb, wasSetUp } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { choosePasswordCost } from '../features/users/password.ts'
import { storedForCommands } from './stored.ts'

const OF_THE_HOST = ['database', 'config', 'root']

/**
 * Which database and which folder a command is about; its own flags are not the server's.
 * @param stored what a database remembers of them
 */
export function hostOf({ flags }: Pick<Arguments, 'flags'>, stored = storedForCommands): Config {
  const own = [...flags].filter(([name]) => OF_THE_HOST.includes(name))
  return resolveConfig(new Map(own), undefined, stored)
}

/**
 * Works on the database of an installation that exists. A server may run on it at the same time.
 * @throws AppError `not_found` telling how to make one
 */
export async function withDb<T>(
  given: Pick<Arguments, 'flags'>,
  act: (db: Db, config: Config) => Promise<T>,
): Promise<T> {
  const config = hostOf(given)
  demandDatabase(config.database)
  return inDb(config, act)
}

/** The same where a missing database is made. */
export async function inDb<T>(config: Config, act: (db: Db, config: Config) => Promise<T>): Promise<T> {
  choosePasswordCost(config.passwordCost)
  const { db } = await openDb(config.database)
  try {
    return await act(db, config)
  } finally {
    await db.destroy()
  }
}

/** @throws AppError `not_found` telling how to make one */
export function demandDatabase(file: string): void {
  if (wasSetUp(file)) return
  throw new AppError('not_found', `There is no database ${file}. Make one with: filigree config init`)
}

/**
 * Several changes as one: all or none, and nobody else writes in between.
 * @returns what `act` returned
 */
export function atOnce<T>(db: Db, act: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async transaction => {
    // Takes SQLite's write lock before anything is read, which a transaction that begins with reading cannot do later.
    await transaction.deleteFrom('users').where('id', '=', -1).execute()
    return act(transaction)
  })
}

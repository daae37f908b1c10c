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
 * Which database and which folder a command is about; its own flags are not the server's.
 * @param stored what a database remembers of them
 */
export async function hostOf({ flags }: Pick<Arguments, 'flags'>, stored = storedForCommands): Promise<Config> {
  const own = new Map([...flags].filter(([name]) => OF_THE_HOST.includes(name)))
  const remembered = await stored(namedDatabase(own))
  return resolveConfig(own, undefined, () => remembered)
}

/**
 * Works on the database of an installation that exists. A server may run on it at the same time.
 * @throws AppError `not_found` telling how to make one
 */
export async function withDb<T>(
  given: Pick<Arguments, 'flags'>,
  act: (db: Db, config: Config) => Promise<T>,
): Promise<T> {
  const config = await hostOf(given)
  await demandDatabase(config.database)
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
export async function demandDatabase(database: string): Promise<void> {
  if (await wasSetUp(database)) return
  const sentence = `There is no database ${shownDatabase(database)}. Make one with: filigree config init`
  throw new AppError('not_found', sentence)
}

/** @throws AppError `unsupported` for a database of PostgreSQL, naming the program that does it there */
export function demandFile(database: string, program: string): void {
  if (!isPostgres(database)) return
  throw new AppError('unsupported', `${shownDatabase(database)} is kept by PostgreSQL. Use its ${program} instead.`)
}

/**
 * Several changes as one: all or none, and nobody else writes in between.
 * @returns what `act` returned
 */
export function atOnce<T>(db: Db, act: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async transaction => {
    await lockForChanges(transaction)
    return act(transaction)
  })
}

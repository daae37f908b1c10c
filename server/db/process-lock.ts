import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../errors.ts'
import { isPostgres, shownDatabase } from './address.ts'
import { countServersOn } from './open-postgres.ts'

/** SQLite's result code for what somebody else has locked. */
const BUSY = 5

/**
 * Makes sure that no server works with a database, whichever it is.
 * @returns gives back what was claimed for that
 * @throws AppError `unavailable` with a sentence for the console
 */
export async function claimAnyDatabase(database: string): Promise<() => void> {
  if (!isPostgres(database)) {
    mkdirSync(dirname(database), { recursive: true, mode: 0o700 })
    return claimDatabase(database)
  }
  const count = await countServersOn(database)
  if (count === 0) return () => {}
  throw new AppError('unavailable', `Servers work with ${shownDatabase(database)}. Stop them first.`)
}

/**
 * Claims a database for the one server that may work with it: a lock on a file beside it, which the system gives back
 * however the process ends. Commands of the console do not ask for it.
 * @returns gives it back
 * @throws AppError `unavailable` with a sentence for the console, when another server has it
 */
export function claimDatabase(file: string): () => void {
  const place = `${file}.server`
  closeSync(openSync(place, 'a', 0o600))
  const lock = new DatabaseSync(place, { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!(error instanceof Error && 'errcode' in error && error.errcode === BUSY)) throw error
    throw new AppError(
      'unavailable',
      `Another server works with ${file}. Stop it first, or name another with --database.`,
    )
  }
  return () => lock.close()
}

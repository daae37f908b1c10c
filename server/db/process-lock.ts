import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../errors.ts'
import { isPostgres, shownDatabase } from './address.ts'
import { countServersOn } from './open-postgres.ts'

/** SQLite's result code for a file locked by another connection. */
const BUSY = 5

/**
 * Ensures that no server uses a database, of either engine.
 * @returns releases what was locked for that
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
 * Locks a database for one server: a lock on a file next to it, which the system releases however the process ends.
 * Console commands do not take it.
 * @returns releases the lock
 * @throws AppError `unavailable` with a sentence for the console, when another server holds it
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

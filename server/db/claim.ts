import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { AppError } from '../errors.ts'

/** SQLite's result code for what somebody else has locked. */
const BUSY = 5

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

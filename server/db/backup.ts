import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { AppError } from '../errors.ts'
import { copySqlite, inspectSqlite, makeSingle } from './sqlite.ts'

/** Suffixes of the files that SQLite keeps next to an open database. */
const SIDES = ['-wal', '-shm']

/**
 * Writes a copy of a database, which may be in use: verified, flushed, readable by the owner only, a single file,
 * complete or not at all. An existing file of that name is replaced.
 * @throws AppError `unavailable` with a sentence for the console
 */
export async function copyDb(from: string, to: string): Promise<void> {
  const unfinished = `${to}.${randomBytes(6).toString('hex')}`
  try {
    closeSync(openSync(unfinished, 'wx', 0o600))
    await copySqlite(from, unfinished)
    makeSingle(unfinished)
    if (inspectSqlite(unfinished) !== 'sound') throw new Error('the copy is corrupt')
    flush(unfinished)
    renameSync(unfinished, to)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('unavailable', `The database ${from} cannot be copied to ${to}: ${reason}`, { cause: error })
  } finally {
    removeDb(unfinished)
  }
}

/** Deletes a database and its side files, which SQLite would otherwise apply to the next database of that name. */
export function removeDb(file: string): void {
  for (const path of [file, ...SIDES.map(side => file + side)]) rmSync(path, { force: true })
}

function flush(path: string): void {
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}

import { randomBytes } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { AppError } from '../errors.ts'
import { copyDb, removeDb } from './backup.ts'
import { openDb } from './open.ts'
import type { Db } from './schema.ts'
import { copySqlite, inspectSqlite } from './sqlite.ts'

/**
 * Puts a backup in the place of a database, brought up to date; a server that runs on it goes on with it. What stood there
 * is kept beside it. Sessions end and jobs stop: what was ended since the backup must not begin again.
 * @returns where the former state is kept, if there was a sound one
 * @throws AppError `bad_request`, `unavailable` with a sentence for the console
 */
export async function restoreDb(file: string, backup: string): Promise<string | undefined> {
  if (!existsSync(backup)) throw new AppError('bad_request', `There is no file ${backup}.`)
  if (inspectSqlite(backup) !== 'sound') throw new AppError('bad_request', `${backup} is no backup, or it is damaged.`)
  const prepared = `${file}.${randomBytes(6).toString('hex')}`
  try {
    await copyDb(backup, prepared)
    await prepare(prepared)
    return await place(prepared, file)
  } finally {
    removeDb(prepared)
    removeDb(`${prepared}.keep`)
  }
}

async function prepare(file: string): Promise<void> {
  const { db } = await openDb(file)
  try {
    await endWhatWasGoingOn(db)
  } finally {
    await db.destroy()
  }
}

async function endWhatWasGoingOn(db: Db): Promise<void> {
  await db.deleteFrom('sessions').execute()
  const ended = { state: 'cancelled', ended_at: Date.now(), owner: null } as const
  await db.updateTable('jobs').set(ended).where('state', 'not in', ['done', 'cancelled']).execute()
  await db.updateTable('job_items').set({ state: 'cancelled' }).where('state', 'in', ['waiting', 'running']).execute()
}

async function place(prepared: string, file: string): Promise<string | undefined> {
  if (existsSync(file) && inspectSqlite(file) === 'sound') {
    const kept = `${file}.before-restore`
    await copyDb(file, kept)
    await copySqlite(prepared, file)
    return kept
  }
  removeDb(file)
  renameSync(prepared, file)
  const { db } = await openDb(file)
  await db.destroy()
  return undefined
}

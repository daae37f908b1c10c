import { randomBytes } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { AppError } from '../errors.ts'
import { copyDb, removeDb } from './backup.ts'
import { openDb } from './open.ts'
import type { Db } from './schema.ts'
import { copySqlite, inspectSqlite } from './sqlite.ts'

/**
 * Replaces a database with a backup, migrated to this release; a running server continues with it. The former database
 * is kept next to it. Sessions, API tokens and locks end and jobs stop: what was ended after the backup must not start again.
 * @returns path of the former database, if there was a valid one
 * @throws AppError `bad_request`, `unavailable` with a sentence for the console
 */
export async function restoreDb(file: string, backup: string): Promise<string | undefined> {
  if (!existsSync(backup)) throw new AppError('bad_request', `There is no file ${backup}.`)
  if (inspectSqlite(backup) !== 'sound')
    throw new AppError('bad_request', `${backup} is not a backup, or it is damaged.`)
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
  await db.deleteFrom('api_tokens').execute()
  await db.deleteFrom('locks').execute()
  await db.deleteFrom('login_flows').execute()
  await db.deleteFrom('office_tokens').execute()
  // The files are those of now: what lies in the folders with quotas is counted again.
  await db.deleteFrom('quota_meters').execute()
  // What waited then was sent long ago.
  await db.deleteFrom('webhook_deliveries').where('state', '=', 'waiting').execute()
  await db.deleteFrom('mails').where('state', '=', 'waiting').execute()
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

import { resolve } from 'node:path'
import { isPostgres, shownDatabase } from '../db/address.ts'
import { copyState } from '../db/copy-database.ts'
import { openDb } from '../db/open.ts'
import { claimAnyDatabase } from '../db/process-lock.ts'
import { AppError } from '../errors.ts'
import { noteIn } from './audit-note.ts'
import type { Arguments, Command } from './command.ts'
import { demandDatabase } from './open.ts'

export const command: Command = {
  usage: '--from sqlite:<file> --to postgres://<user>@<host>/<name>',
  summary: 'Copies the database between SQLite and PostgreSQL, and verifies the copy',
  flags: [
    { flag: 'from', doc: 'Database to copy; no server may use it during the copy.' },
    { flag: 'to', doc: 'Target database, without users.' },
  ],
  words: { least: 0, most: 0 },
  async run(given) {
    const [from, to] = [placeIn(given, 'from'), placeIn(given, 'to')]
    await demandDatabase(from)
    if (from === to) throw new AppError('bad_request', 'A database cannot be copied to itself.')
    const claims = [await claimAnyDatabase(from)]
    try {
      claims.push(await claimAnyDatabase(to))
      for (const [table, rows] of await copy(from, to)) console.log(`${table.padEnd(16)} ${String(rows).padStart(9)}`)
    } finally {
      for (const release of claims) release()
    }
    const place = shownDatabase(to)
    console.log(`The copy is complete and verified. Start the server with --database ${place}`)
  },
}

function placeIn({ flags }: Arguments, flag: string): string {
  const named = flags.get(flag)
  if (!named) throw new AppError('bad_request', `Usage: filigree migrate-store ${command.usage}`)
  return isPostgres(named) ? named : resolve(named.replace(/^sqlite:(?:\/\/)?/i, ''))
}

async function copy(from: string, to: string): ReturnType<typeof copyState> {
  const { db: source } = await openDb(from)
  try {
    const { db: target } = await openDb(to)
    try {
      const counts = await copyState(source, target)
      await noteIn(target, 'migrate-store')
      return counts
    } catch (thrown) {
      throw withPlace(to, thrown)
    } finally {
      await target.destroy()
    }
  } finally {
    await source.destroy()
  }
}

function withPlace(to: string, thrown: unknown): unknown {
  if (!(thrown instanceof AppError) || thrown.message === thrown.code) return thrown
  return new AppError(thrown.code, `${shownDatabase(to)} was not changed. ${thrown.message}`, { cause: thrown })
}

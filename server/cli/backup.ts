import { realpathSync } from 'node:fs'
import { copyDb } from '../db/backup.ts'
import { demandSound } from '../db/open.ts'
import { AppError } from '../errors.ts'
import type { Command } from './command.ts'
import { demandDatabase, demandFile, hostOf } from './open.ts'

export const command: Command = {
  usage: '<file>',
  summary: 'Writes a backup of the database to a file, also while the server runs',
  words: { least: 1, most: 1 },
  async run(given) {
    const { database } = await hostOf(given)
    const [target = ''] = given.positionals
    demandFile(database, 'pg_dump')
    await demandDatabase(database)
    demandSound(database)
    if (isSame(database, target)) throw new AppError('bad_request', 'The backup must not be the database itself.')
    await copyDb(database, target)
    console.log(`Backed up ${database} to ${target}. It contains password hashes; only its owner can read it.`)
  },
}

function isSame(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other)
  } catch {
    return false
  }
}

import { restoreDb } from '../db/restore.ts'
import type { Command } from './command.ts'
import { demandFile, hostOf } from './open.ts'

export const command: Command = {
  usage: '<file>',
  summary: 'Replaces the database with a backup, also while the server runs; ends all sessions',
  words: { least: 1, most: 1 },
  async run(given) {
    const { database } = await hostOf(given)
    const [backup = ''] = given.positionals
    demandFile(database, 'pg_restore')
    const kept = await restoreDb(database, backup)
    console.log(`Restored ${database} from ${backup}. All users have to sign in again.`)
    if (kept !== undefined) console.log(`The previous database is in ${kept}.`)
  },
}

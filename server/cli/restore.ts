import { restoreDb } from '../db/restore.ts'
import type { Command } from './command.ts'
import { demandFile, hostOf } from './open.ts'

export const command: Command = {
  usage: '<file>',
  summary: 'Puts a backup in the place of the database, also while the server runs; everybody signs in again',
  words: { least: 1, most: 1 },
  async run(given) {
    const { database } = await hostOf(given)
    const [backup = ''] = given.positionals
    demandFile(database, 'pg_restore')
    const kept = await restoreDb(database, backup)
    console.log(`${database} is what it was in ${backup}. Everybody signs in again.`)
    if (kept !== undefined) console.log(`What stood there until now is kept in ${kept}.`)
  },
}

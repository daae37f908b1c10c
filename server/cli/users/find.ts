import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { demandUser, printUsers } from './common.ts'

export const command: Command = {
  usage: '<id|username>',
  summary: 'Shows one user',
  words: { least: 1, most: 1 },
  run: given => withDb(given, async db => printUsers([await demandUser(db, given.positionals[0] ?? '')])),
}

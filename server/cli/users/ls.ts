import { listUsers } from '../../features/users/users.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printUsers } from './common.ts'

export const command: Command = {
  usage: '',
  summary: 'Lists the users',
  words: { least: 0, most: 0 },
  run: given => withDb(given, async db => printUsers(await listUsers(db))),
}

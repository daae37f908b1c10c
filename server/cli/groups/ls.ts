import { listGroups } from '../../features/groups/groups.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printGroups } from './common.ts'

export const command: Command = {
  usage: '',
  summary: 'Lists the groups in their order',
  words: { least: 0, most: 0 },
  run: given => withDb(given, async db => printGroups(db, await listGroups(db))),
}

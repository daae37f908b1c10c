import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { listRules, printRules, TARGET_FLAGS } from './common.ts'

export const command: Command = {
  usage: '',
  summary: 'Lists the global rules, or those of a user or a group',
  flags: TARGET_FLAGS,
  words: { least: 0, most: 0 },
  run: given => withDb(given, async db => printRules(await listRules(db, given.flags))),
}

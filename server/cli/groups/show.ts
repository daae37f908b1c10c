import type { Command } from '../command.ts'
import { demandGroup } from '../named-group.ts'
import { withDb } from '../open.ts'
import { printRules } from '../rules/common.ts'
import { printGroups } from './common.ts'

export const command: Command = {
  usage: '<id|name>',
  summary: 'Shows one group with its rules',
  words: { least: 1, most: 1 },
  run: given =>
    withDb(given, async db => {
      const group = await demandGroup(db, given.positionals[0] ?? '')
      await printGroups(db, [group])
      printRules(group.rules)
    }),
}

import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { withoutRange } from '../range.ts'
import { changeRules, printRules, TARGET_FLAGS } from './common.ts'

export const command: Command = {
  usage: '<index> [last index]',
  summary: 'Removes a rule, or a range of rules',
  flags: [...TARGET_FLAGS, { flag: 'index', doc: 'Ignored; older scripts pass it.' }],
  words: { least: 1, most: 2 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const [from = '', to] = given.positionals
      printRules(await changeRules(db, given.flags, rules => withoutRange(rules, from, to)))
    }),
}

import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { withoutRange } from '../range.ts'
import { changeLines, demandEvent, printLines } from './common.ts'

export const command: Command = {
  usage: '<event> <index> [last index]',
  summary: 'Removes a hook, or a range of hooks, of an event',
  flags: [{ flag: 'index', doc: 'Ignored; older scripts pass it.' }],
  words: { least: 2, most: 3 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const [word = '', from = '', to] = given.positionals
      const event = demandEvent(word)
      printLines(await changeLines(db, event, lines => withoutRange(lines, from, to)))
    }),
}

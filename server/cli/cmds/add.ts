import { SettingsInput } from '../../../shared/api/settings.ts'
import { checked } from '../check.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { changeLines, demandEvent, printLines } from './common.ts'

/** More arguments than a command line has. */
const MANY = 10_000

export const command: Command = {
  usage: '<event> <command...>',
  summary: 'Adds a hook; put -- before a command with flags',
  words: { least: 2, most: MANY },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const [word = '', ...words] = given.positionals
      const event = demandEvent(word)
      const line = words.join(' ')
      checked(SettingsInput, { commands: { [event]: [line] } }, '')
      printLines(await changeLines(db, event, lines => [...lines, line]))
    }),
}

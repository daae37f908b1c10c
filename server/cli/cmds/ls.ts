import { readSettings } from '../../features/settings/settings.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { eventsNamed, printLines } from './common.ts'

export const command: Command = {
  usage: '',
  summary: 'Lists the hooks of all events, or of one',
  flags: [{ flag: 'event', short: 'e', doc: 'Only this event; upload means both before_upload and after_upload.' }],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      const event = given.flags.get('event')
      const { commands } = await readSettings(db)
      printLines(commands, event === undefined ? undefined : eventsNamed(event))
    }),
}

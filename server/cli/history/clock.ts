import { AppError } from '../../errors.ts'
import { confirmClock } from '../../history/clock.ts'
import { noteIn } from '../audit-note.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'

export const command: Command = {
  usage: '',
  summary: 'Lets deleted items expire again after the clock jumped, also while the server runs',
  flags: [{ flag: 'confirm', boolean: true, doc: 'The clock of this host is right.' }],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      const now = new Date().toISOString()
      if (given.flags.get('confirm') !== 'true')
        throw new AppError('bad_request', `It is ${now} here. Add --confirm if that is right.`)
      const held = await confirmClock(db)
      if (held) await noteIn(db, 'history clock --confirm')
      console.log(held ? 'Items expire again.' : 'No jump of the clock was noticed.')
    }),
}

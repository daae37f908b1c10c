import { parsePath } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { forgetHistory } from '../../history/forget.store.ts'
import { noteIn } from '../audit-note.ts'
import type { Arguments, Command } from '../command.ts'
import { withDb } from '../open.ts'

export const command: Command = {
  usage: '<path>',
  summary: 'Forgets who changed what at a path and below it, for good, also while the server runs',
  flags: [{ flag: 'before', doc: 'Only what ended before this time, such as 2026-11-01 or 2026-11-01T12:00:00Z.' }],
  words: { least: 1, most: 1 },
  async run(given) {
    const path = parsePath(given.positionals[0] ?? '')
    const before = timeIn(given)
    await withDb(given, async db => {
      const { steps, versions } = await forgetHistory(db, path, before)
      await noteIn(db, `history forget ${path} --before ${new Date(before).toISOString()}`)
      console.log(`Recorded steps forgotten: ${steps}`)
      console.log(`Versions without user and name: ${versions}`)
    })
  },
}

/** The whole history of a folder is not forgotten by a missing flag. @throws AppError `bad_request` */
function timeIn({ flags }: Arguments): number {
  const text = flags.get('before') ?? ''
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw new AppError('bad_request', `--before: '${text}' is not a time.`)
  return time
}

import { AppError } from '../../errors.ts'
import { type Difference, differences, repair } from '../../history/check.ts'
import { noteIn } from '../audit-note.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { withTrash } from '../served-folder.ts'

/** Differences that a repair leaves as they are. */
const LEFT: ReadonlySet<Difference['kind']> = new Set(['unknown', 'away', 'replaced'])

export const command: Command = {
  usage: '',
  summary: 'Compares the records of deleted items with the disk, also while the server runs',
  flags: [
    { flag: 'repair', boolean: true, doc: 'Brings the records up to date with the disk.' },
    { flag: 'json', boolean: true, doc: 'Print a JSON object for each difference.' },
  ],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, (db, config) =>
      withTrash(config, db, async ({ recovery }) => {
        const isJson = given.flags.get('json') === 'true'
        let repairable = 0
        for await (const difference of differences(recovery)) {
          const { kind, id = '-', place } = difference
          if (!LEFT.has(kind)) repairable += 1
          console.log(isJson ? JSON.stringify(difference) : `${kind}\t${id}\t${printable(place)}`)
        }
        if (repairable === 0) return
        if (given.flags.get('repair') !== 'true')
          throw new AppError('bad_request', `${repairable} records differ from the disk. Add --repair to correct them.`)
        await repair(recovery)
        await noteIn(db, 'history check --repair')
      }),
    ),
}

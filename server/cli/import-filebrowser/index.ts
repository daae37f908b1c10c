import { shownDatabase } from '../../db/address.ts'
import { quotedWord } from '../../sandbox/shell-split.ts'
import { noteIn } from '../audit-note.ts'
import type { Arguments, Command } from '../command.ts'
import { inDb } from '../open.ts'
import { adopt } from './adopt.ts'
import { printReport, type Report } from './report.ts'
import { readSource } from './source.ts'
import { inRehearsal, placeOf } from './target.ts'

export const command: Command = {
  usage: '<filebrowser.db | exported files>',
  summary: 'Takes over the users, settings and links of a File Browser; its files are only read',
  flags: [
    { flag: 'root', short: 'r', doc: 'Folder that is served, if it is not where File Browser had it.' },
    { flag: 'dry-run', boolean: true, doc: 'Tells what would happen, and writes nothing.' },
    { flag: 'overwrite', boolean: true, doc: 'Takes everything, also what was changed or removed here since.' },
    { flag: 'json', boolean: true, doc: 'Prints the whole report as JSON.' },
  ],
  words: { least: 1, most: 2 },
  async run(given) {
    const isSet = (flag: string) => given.flags.get(flag) === 'true'
    const source = readSource(given.positionals)
    const config = await placeOf(given, source)
    const within = isSet('dry-run') ? inRehearsal : inDb
    const outcome = await within(config, async db => {
      const adopted = await adopt(db, config, source, isSet('overwrite'))
      if (!isSet('dry-run')) await noteIn(db, 'adopt')
      return adopted
    })
    const place = { database: shownDatabase(config.database), root: config.root }
    const report: Report = { dryRun: isSet('dry-run'), ...place, ...outcome, start: startOf(given, place) }
    if (isSet('json')) console.log(JSON.stringify(report, undefined, 2))
    else printReport(report)
  },
}

function startOf({ flags }: Pick<Arguments, 'flags'>, { database, root }: Pick<Report, 'database' | 'root'>): string {
  const file = flags.get('config')
  const words = ['filigree', '--database', database, '--root', root, ...(file === undefined ? [] : ['--config', file])]
  return words.map(quotedWord).join(' ')
}

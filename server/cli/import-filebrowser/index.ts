import { shownDatabase } from '../../db/address.ts'
import { quotedWord } from '../../sandbox/shell-split.ts'
import { noteIn } from '../audit-note.ts'
import type { Arguments, Command } from '../command.ts'
import { inDb } from '../open.ts'
import { adopt } from './adopt.ts'
import { printReport, type Report } from './report.ts'
import { readSource } from './source.ts'
import { inDryRun, placeOf } from './target.ts'

export const command: Command = {
  usage: '<filebrowser.db | exported files>',
  summary: 'Imports users, settings and share links from File Browser, whose files are only read',
  flags: [
    { flag: 'root', short: 'r', doc: 'Served folder, if it is not that of File Browser.' },
    { flag: 'dry-run', boolean: true, doc: 'Report what would happen, without writing anything.' },
    { flag: 'overwrite', boolean: true, doc: 'Import everything, also what was changed or removed here since.' },
    { flag: 'json', boolean: true, doc: 'Print the whole report as JSON.' },
  ],
  words: { least: 1, most: 2 },
  async run(given) {
    const isSet = (flag: string) => given.flags.get(flag) === 'true'
    const source = readSource(given.positionals)
    const config = await placeOf(given, source)
    const within = isSet('dry-run') ? inDryRun : inDb
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

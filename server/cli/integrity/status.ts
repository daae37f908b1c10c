import { presentReport } from '../../features/integrity/view.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printTable } from '../print.ts'
import { JSON_FLAG, onFiles } from './common.ts'

export const command: Command = {
  usage: '',
  summary: 'Shows how many files have checksums, when they were checked, and how many are not what they were',
  flags: [JSON_FLAG],
  words: { least: 0, most: 0 },
  async run(given) {
    const config = await withDb(given, async (_db, host) => host)
    const report = await onFiles(given, async (_own, integrity) => presentReport(await integrity.report(), config))
    if (given.flags.get('json') === 'true') return console.log(JSON.stringify(report))
    const { scrub, total, known, checked, last, next, open } = report
    printTable(
      ['', 'Files', 'Bytes'],
      [
        ['All files', String(total?.files ?? '-'), String(total?.bytes ?? '-')],
        ['With a checksum', String(known.files), String(known.bytes)],
        ['Checked in this period', String(checked.files), String(checked.bytes)],
      ],
    )
    console.log(`Scrub: ${scrub}. Last check: ${last?.started ?? 'never'}. Next check: ${next ?? 'none'}.`)
    console.log(`Open findings: ${open}.`)
  },
}

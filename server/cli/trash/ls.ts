import { presentKept } from '../../features/trash/view.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'
import { BEFORE_FLAG, OF_FLAG, onTrash, requestOf, USER_FLAG } from './common.ts'

const HEADINGS = ['ID', 'Deleted', 'By', 'Bytes', 'Path']

export const command: Command = {
  usage: '',
  summary: 'Lists deleted items, the newest first',
  flags: [
    USER_FLAG,
    { flag: 'under', doc: 'Only what was in this folder of the served root, or below it.' },
    BEFORE_FLAG,
    OF_FLAG,
    { flag: 'json', boolean: true, doc: 'Print a JSON object for each item.' },
  ],
  words: { least: 0, most: 0 },
  async run(given) {
    const days = await withDb(given, async (_db, { trashDays }) => trashDays)
    const items = await onTrash(given, async ({ trash, top }) => {
      const { items } = await trash.list(requestOf(given, top), Number.POSITIVE_INFINITY)
      return items.map(item => presentKept(item, days))
    })
    if (given.flags.get('json') === 'true') {
      for (const item of items) console.log(JSON.stringify(item))
      return
    }
    printTable(
      HEADINGS,
      items.map(({ id, deleted, by, size, path, isDir }) => [
        id,
        deleted,
        printable(by),
        String(size),
        printable(isDir ? `${path}/` : path),
      ]),
    )
  },
}

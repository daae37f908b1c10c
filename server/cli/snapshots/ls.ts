import { parsePath, ROOT } from '../../../shared/path.ts'
import type { EarlierState } from '../../files/snapshots.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import { accountName } from '../account.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'
import { inWholeFolder, openFiles } from '../served-folder.ts'

const HEADINGS = ['ID', 'Time', 'Source', 'Name', 'Bytes', 'Modified']

export const command: Command = {
  usage: '[path]',
  summary: 'Lists the snapshots that contain the served folder, or a path in it, the newest first',
  flags: [{ flag: 'json', boolean: true, doc: 'Print a JSON object for each snapshot.' }],
  words: { least: 0, most: 1 },
  run: given =>
    withDb(given, async (db, config) => {
      const [word] = given.positionals
      const path = word === undefined ? ROOT : parsePath(word)
      const files = await openFiles(config, db)
      const own = await files.for(inWholeFolder(0, accountName()))
      const found: EarlierState[] = []
      for (let more = true; more; ) {
        const page = await own.earlierStates(path, found.at(-1)?.id)
        found.push(...page.items)
        more = page.more && page.items.length > 0
      }
      const rows = found.map(rowOf)
      if (given.flags.get('json') === 'true') for (const row of rows) console.log(JSON.stringify(row))
      else
        printTable(
          HEADINGS,
          rows.map(({ id, time, source, name, size, modified }) => {
            return [id, time, source, printable(name), size === undefined ? '-' : String(size), modified ?? '-']
          }),
        )
    }),
}

/** Of a file also what it was then. */
function rowOf({ id, time, source, name, entry: { kind, size, modified } }: EarlierState) {
  const snapshot = { id, time: rfc3339(time), source, name }
  return kind === 'file'
    ? { ...snapshot, size, modified: rfc3339(modified) }
    : { ...snapshot, size: undefined, modified: undefined }
}

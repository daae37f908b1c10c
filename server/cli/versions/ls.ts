import { VERSIONS_PAGE } from '../../../shared/api/versions.ts'
import { parsePath } from '../../../shared/path.ts'
import type { SeenVersion } from '../../files/versions.ts'
import { rfc3339 } from '../../responses/serializers.ts'
import type { Command } from '../command.ts'
import { printable, printTable } from '../print.ts'
import { onTrash } from '../trash/common.ts'

const HEADINGS = ['ID', 'Replaced', 'By', 'Bytes', 'Name', 'Path']

export const command: Command = {
  usage: '<path>',
  summary: 'Lists the versions of a file, the newest first',
  flags: [{ flag: 'json', boolean: true, doc: 'Print a JSON object for each version.' }],
  words: { least: 1, most: 1 },
  run: given =>
    onTrash(given, async ({ files }) => {
      const path = parsePath(given.positionals[0] ?? '')
      const found: SeenVersion[] = []
      for (let more = true; more; ) {
        const page = await files.versions.list(path, found.at(-1)?.id, VERSIONS_PAGE)
        found.push(...page.items)
        more = page.more
      }
      const rows = found.map(({ id, replacedAt, username, size, label = '', pinned, path: had }) => {
        return { id, replaced: rfc3339(replacedAt), by: username, size, label, pinned, path: had }
      })
      if (given.flags.get('json') === 'true') {
        for (const row of rows) console.log(JSON.stringify(row))
        return
      }
      printTable(
        HEADINGS,
        rows.map(({ id, replaced, by, size, label, path: had }) => {
          return [id, replaced, printable(by), String(size), printable(label), printable(had)]
        }),
      )
    }),
}

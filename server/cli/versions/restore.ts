import { parsePath } from '../../../shared/path.ts'
import { restoreVersion } from '../../files/restore-version.ts'
import type { Command } from '../command.ts'
import { printable } from '../print.ts'
import { onTrash } from '../trash/common.ts'

export const command: Command = {
  usage: '<path> <id>',
  summary: 'Restores a version of a file, also while the server runs; the present content becomes a version',
  flags: [{ flag: 'copy', boolean: true, doc: 'Writes it to another file next to it.' }],
  words: { least: 2, most: 2 },
  run: given =>
    onTrash(given, async ({ files, note }) => {
      const [path, id = ''] = [parsePath(given.positionals[0] ?? ''), given.positionals[1]]
      const how = given.flags.get('copy') === 'true' ? 'copy' : 'replace'
      const written = await restoreVersion(files, path, { id, how, signal: new AbortController().signal })
      await note('version.restore', path, how === 'copy' ? written.path : undefined)
      console.log(printable(written.path))
    }),
}

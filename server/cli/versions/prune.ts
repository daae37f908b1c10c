import { expire } from '../../history/recovery.ts'
import { thinnedRows } from '../../history/thinned-versions.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { onTrash } from '../trash/common.ts'

export const command: Command = {
  usage: '',
  summary: 'Deletes the versions that the settings do not keep, as the server does every hour',
  flags: [{ flag: 'dry-run', boolean: true, doc: 'Only lists them.' }],
  words: { least: 0, most: 0 },
  async run(given) {
    const isDry = given.flags.get('dry-run') === 'true'
    const rules = await withDb(given, async (_db, config) => {
      const { versions, versionsDays: days, versionsOfFile: most, keepLeast: least } = config
      return { isSmart: versions === 'smart', days, most, least }
    })
    await onTrash(given, async ({ db, recovery, trash, note }) => {
      const gone = []
      for await (const row of thinnedRows(db, rules, Date.now())) {
        if (!isDry && !(await expire(recovery, row, 'thinned'))) continue
        if (!isDry) await note('version.expire', row.place)
        gone.push(row)
        console.log(`${row.id}\t${printable(row.place)}`)
      }
      if (!isDry) await trash.clear(gone)
    })
  },
}

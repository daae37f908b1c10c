import { listMeters } from '../../features/quotas/meters.store.ts'
import type { Command } from '../command.ts'
import { ROOT_FLAG } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { withQuotas } from '../served-folder.ts'
import { shownBytes } from './size.ts'

export const command: Command = {
  usage: '',
  summary: 'Counts again what lies in folders with a quota, also while the server runs',
  flags: [ROOT_FLAG],
  words: { least: 0, most: 0 },
  changes: true,
  run: given =>
    withDb(given, (db, config) =>
      withQuotas(config, db, async quotas => {
        await quotas.homes()
        for (const meter of await listMeters(db)) {
          const isExact = await quotas.counting.countIfThere(meter)
          if (isExact === undefined) {
            console.log(`${printable(meter.folder)}\tthe root is not there`)
            continue
          }
          const bytes = (await listMeters(db)).find(({ id }) => id === meter.id)?.used.bytes ?? 0
          console.log(`${printable(meter.folder)}\t${shownBytes(bytes)}\t${isExact ? 'exact' : 'it changes'}`)
        }
      }),
    ),
}

import { AppError } from '../../errors.ts'
import { listMeters } from '../../features/quotas/meters.store.ts'
import { type Command, ROOT_FLAG } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { withQuotas } from '../served-folder.ts'

export const command: Command = {
  usage: '',
  summary: 'Compares what the homes with a quota hold with the disk; fails if something differs',
  flags: [ROOT_FLAG],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, (db, config) =>
      withQuotas(config, db, async quotas => {
        let differing = 0
        for (const { folder, bytes, countedAt } of await listMeters(db)) {
          const found = await quotas.counting.bytesIn(folder)
          const isRight = countedAt !== undefined && found === bytes
          if (!isRight) differing += 1
          const recorded = countedAt === undefined ? 'not counted yet' : `${bytes} recorded`
          console.log(`${printable(folder)}\t${found} bytes\t${isRight ? 'ok' : recorded}`)
        }
        if (differing === 0) return
        throw new AppError('unavailable', `${differing} homes differ. Count them again with: filigree quotas recount`)
      }),
    ),
}

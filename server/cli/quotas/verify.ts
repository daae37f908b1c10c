import { AppError } from '../../errors.ts'
import { ifThere } from '../../features/quotas/counting.ts'
import { listMeters } from '../../features/quotas/meters.store.ts'
import { type Amount, isNothing, minus } from '../../lib/amount.ts'
import { type Command, ROOT_FLAG } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { withQuotas } from '../served-folder.ts'

export const command: Command = {
  usage: '',
  summary: 'Compares what lies in folders with a quota with what is recorded; fails if something differs',
  flags: [ROOT_FLAG],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, (db, config) =>
      withQuotas(config, db, async quotas => {
        let differing = 0
        for (const { folder, used, countedAt } of await listMeters(db)) {
          const found = await ifThere(folder, () => quotas.counting.amountIn(folder))
          if (!found) {
            console.log(`${printable(folder)}\tthe root is not there`)
            continue
          }
          const isRight = countedAt !== undefined && isNothing(minus(found, used))
          if (!isRight) differing += 1
          const recorded = countedAt === undefined ? 'not counted yet' : `recorded: ${textOf(used)}`
          console.log(`${printable(folder)}\t${textOf(found)}\t${isRight ? 'ok' : recorded}`)
        }
        if (differing === 0) return
        throw new AppError('unavailable', `${differing} folders differ. Count them again with: filigree quotas recount`)
      }),
    ),
}

const textOf = ({ bytes, items }: Amount) => `${bytes} bytes, ${items} items`

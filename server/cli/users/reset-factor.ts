import { AppError } from '../../errors.ts'
import { deleteSessionsOf } from '../../features/auth/sessions.store.ts'
import { deleteFactors } from '../../features/factors/factors.store.ts'
import type { Command } from '../command.ts'
import { inTransaction, withDb } from '../open.ts'
import { printable } from '../print.ts'
import { demandUser } from './common.ts'

export const command: Command = {
  usage: '<id|username>',
  summary: 'Removes the second factors of a user, and ends the sessions',
  words: { least: 1, most: 1 },
  changes: true,
  async run(given) {
    await withDb(given, db =>
      inTransaction(db, async transaction => {
        const { id, username } = await demandUser(transaction, given.positionals[0] ?? '')
        if (!(await deleteFactors(transaction, id)))
          throw new AppError('not_found', `The user '${printable(username)}' has no second factor.`)
        await deleteSessionsOf(transaction, id)
      }),
    )
    console.log('second factors removed')
  },
}

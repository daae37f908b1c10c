import { openLocalCluster } from '../../cluster/local.ts'
import { AppError } from '../../errors.ts'
import { deleteSessionsOf } from '../../features/auth/sessions.store.ts'
import { removeUser } from '../../features/users/accounts.ts'
import type { Command } from '../command.ts'
import { inTransaction, withDb } from '../open.ts'
import { demandUser } from './common.ts'

export const command: Command = {
  usage: '<id|username>',
  summary: 'Removes a user; the files stay',
  words: { least: 1, most: 1 },
  changes: true,
  async run(given) {
    await withDb(given, db =>
      inTransaction(db, async transaction => {
        const { id } = await demandUser(transaction, given.positionals[0] ?? '')
        await removeUser({ db: transaction, cluster: openLocalCluster() }, id).catch(explain)
        await deleteSessionsOf(transaction, id)
      }),
    )
    console.log('user deleted successfully')
  },
}

function explain(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'forbidden') throw error
  throw new AppError('forbidden', 'This is the only administrator. Create another one first.')
}

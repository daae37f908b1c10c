import { openLocalCluster } from '../../cluster/local.ts'
import { AppError } from '../../errors.ts'
import { handOverInPlace } from '../../features/shares/handover.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { demandUser } from './common.ts'

export const command: Command = {
  usage: '<id|username> <id|username>',
  summary: 'Hands the links and shares of a user over to another user; the files stay',
  words: { least: 2, most: 2 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const [leaving = '', staying = ''] = given.positionals
      const [from, to] = [await demandUser(db, leaving), await demandUser(db, staying)]
      const deps = { db, cluster: openLocalCluster() }
      const { left } = await handOverInPlace(deps, { from: from.id, to: to.id }).catch(explain)
      console.log('handed over')
      if (left > 0) console.log(`${left} lead to files that the other user does not have, and stay`)
    }),
}

function explain(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'bad_request') throw error
  throw new AppError('bad_request', 'The new owner must be another user, who is allowed to share.')
}

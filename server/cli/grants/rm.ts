import { AppError } from '../../errors.ts'
import { deleteGrant, listGrants } from '../../features/shares/grants.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'

export const command: Command = {
  usage: '<id>',
  summary: 'Ends what a user shares with a user or a group; the files stay',
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const [id = ''] = given.positionals
      const [grant] = await listGrants(db, { id })
      if (!grant)
        throw new AppError('not_found', `There is no grant ${printable(id)}. List them with: filigree grants ls`)
      await deleteGrant(db, grant)
      console.log('sharing ended')
    }),
}

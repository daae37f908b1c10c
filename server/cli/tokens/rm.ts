import { AppError } from '../../errors.ts'
import { deleteTokens, findToken } from '../../features/tokens/tokens.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'

export const command: Command = {
  usage: '<id>',
  summary: 'Ends an API token; a running server refuses its next request',
  words: { least: 1, most: 1 },
  changes: true,
  async run(given) {
    const [id = ''] = given.positionals
    await withDb(given, async db => {
      const found = await findToken(db, id)
      if (!found) throw new AppError('not_found', `There is no API token '${printable(id)}'.`)
      await deleteTokens(db, found.user.id, id)
    })
    console.log('token removed')
  },
}

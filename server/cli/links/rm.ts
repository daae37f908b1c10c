import { deleteShare } from '../../features/shares/shares.store.ts'
import type { Command } from '../command.ts'
import { inTransaction, withDb } from '../open.ts'
import { demandLinks } from './named.ts'

export const command: Command = {
  usage: '<hash>...',
  summary: 'Ends share links; the files stay',
  words: { least: 1, most: Number.POSITIVE_INFINITY },
  changes: true,
  async run(given) {
    await withDb(given, db =>
      inTransaction(db, async transaction => {
        for (const { hash } of await demandLinks(transaction, given.positionals)) await deleteShare(transaction, hash)
      }),
    )
    console.log('links ended')
  },
}

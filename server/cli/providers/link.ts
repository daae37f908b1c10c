import { AppError } from '../../errors.ts'
import { findIdentity, insertIdentity, listIdentities } from '../../features/identities/identities.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { demandUser } from '../users/common.ts'
import { demandProvider, describedBy } from './common.ts'

export const command: Command = {
  usage: '<slug> <subject> <id|username>',
  summary: 'Connects an existing account with a user of an OpenID provider',
  words: { least: 3, most: 3 },
  changes: true,
  async run(given) {
    const [slug = '', subject = '', word = ''] = given.positionals
    await withDb(given, async (db, config) => {
      const user = await demandUser(db, word)
      const { issuer } = await describedBy(demandProvider(config, slug))
      if (await findIdentity(db, { issuer, subject })) {
        throw new AppError('exists', `The subject ${printable(subject)} is connected; unlink it first.`)
      }
      const own = (await listIdentities(db)).find(known => known.user_id === user.id && known.issuer === issuer)
      if (own)
        throw new AppError('exists', `The account is connected with ${printable(own.subject)}; unlink that first.`)
      await insertIdentity(db, {
        issuer,
        subject,
        user_id: user.id,
        username: '',
        created_at: Date.now(),
        seen_at: 0,
        missing_since: null,
      })
    })
    console.log('account connected')
  },
}

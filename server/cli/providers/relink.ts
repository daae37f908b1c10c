import { AppError } from '../../errors.ts'
import { deleteSessionsFrom } from '../../features/auth/sessions.store.ts'
import { findIdentity, listIdentities, replaceIdentity } from '../../features/identities/identities.store.ts'
import type { Command } from '../command.ts'
import { inTransaction, withDb } from '../open.ts'
import { printable } from '../print.ts'
import { demandUser } from '../users/common.ts'
import { demandProvider, describedBy, isIssuer } from './common.ts'

export const command: Command = {
  usage: '<id|username> <slug> <subject>',
  summary: 'Connects a user with another subject of an OpenID provider, in place of the former one',
  flags: [{ flag: 'from', doc: 'Former address (issuer) of the provider, if that has changed.' }],
  words: { least: 3, most: 3 },
  changes: true,
  async run(given) {
    const [word = '', slug = '', subject = ''] = given.positionals
    await withDb(given, async (db, config) => {
      const { issuer } = await describedBy(demandProvider(config, slug))
      const from = given.flags.get('from') ?? issuer
      await inTransaction(db, async transaction => {
        const user = await demandUser(transaction, word)
        const own = (await listIdentities(transaction)).filter(({ user_id }) => user_id === user.id)
        const former = own.find(known => isIssuer(known.issuer, from))
        if (!former) throw new AppError('not_found', `The account is not connected with ${printable(from)}.`)
        const isNew = former.subject !== subject || former.issuer !== issuer
        if (isNew && (await findIdentity(transaction, { issuer, subject })))
          throw new AppError('exists', `The subject ${printable(subject)} is connected; unlink it first.`)
        const other = own.find(known => known !== former && known.issuer === issuer)
        if (other)
          throw new AppError('exists', `The account is connected with ${printable(other.subject)}; unlink that first.`)
        await replaceIdentity(transaction, former, { issuer, subject })
        await deleteSessionsFrom(transaction, slug, user.id)
      })
    })
    console.log('account connected')
  },
}

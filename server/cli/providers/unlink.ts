import { AppError } from '../../errors.ts'
import { deleteSessionsFrom } from '../../features/auth/sessions.store.ts'
import { deleteIdentity, listIdentities } from '../../features/identities/identities.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { demandProvider, isIssuer } from './common.ts'

export const command: Command = {
  usage: '<slug> <subject>',
  summary: 'Forgets a user of an OpenID provider, and ends the sessions that began there',
  words: { least: 2, most: 2 },
  changes: true,
  async run(given) {
    const [slug = '', subject = ''] = given.positionals
    await withDb(given, async (db, config) => {
      const { settings } = demandProvider(config, slug)
      const known = (await listIdentities(db)).find(
        identity => identity.subject === subject && isIssuer(identity.issuer, settings.issuer),
      )
      if (!known || !(await deleteIdentity(db, known))) {
        throw new AppError('not_found', `No account is connected with ${printable(subject)}.`)
      }
      if (known.user_id !== null) await deleteSessionsFrom(db, slug, known.user_id)
    })
    console.log('connection removed')
  },
}

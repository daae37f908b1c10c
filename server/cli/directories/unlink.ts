import { AppError } from '../../errors.ts'
import { deleteSessionsFrom } from '../../features/auth/sessions.store.ts'
import { directoryId } from '../../features/directories/directory-settings.ts'
import { deleteIdentity, listIdentities } from '../../features/identities/identities.store.ts'
import { setDisabled } from '../../features/users/users.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'

export const command: Command = {
  usage: '<slug> <fixed id>',
  summary: 'Forgets a user of an LDAP directory, ends the sessions that began there, and opens a closed account',
  words: { least: 2, most: 2 },
  changes: true,
  async run(given) {
    const [slug = '', subject = ''] = given.positionals
    const issuer = directoryId({ slug })
    await withDb(given, async db => {
      const known = (await listIdentities(db)).find(one => one.issuer === issuer && one.subject === subject)
      if (!known || !(await deleteIdentity(db, known)))
        throw new AppError('not_found', `No account is connected with ${printable(subject)}.`)
      if (known.user_id === null) return
      await deleteSessionsFrom(db, issuer, known.user_id)
      await setDisabled(db, known.user_id, false)
    })
    console.log('connection removed')
  },
}

import { AppError } from '../../errors.ts'
import { subjectOf } from '../../features/directories/entry.ts'
import { findIdentity, identityOf, insertIdentity } from '../../features/identities/identities.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { demandUser } from '../users/common.ts'
import { demandDirectory, explain } from './common.ts'

export const command: Command = {
  usage: '<slug> <name> <id|username>',
  summary: 'Connects an existing account with a user of an LDAP directory, who checks its password from then on',
  words: { least: 3, most: 3 },
  changes: true,
  async run(given) {
    const [slug = '', name = '', word = ''] = given.positionals
    await withDb(given, async (db, config) => {
      const user = await demandUser(db, word)
      const directory = demandDirectory(config, slug)
      const { id: issuer, settings } = directory
      const entry = await directory.work(connection => directory.find(connection, name)).catch(explain)
      const subject = entry && subjectOf(entry, settings.subjectAttribute)
      if (!entry || subject === undefined)
        throw new AppError('not_found', `No entry with a fixed id has the name '${printable(name)}'.`)
      if (await findIdentity(db, { issuer, subject }))
        throw new AppError('exists', `${printable(name)} is connected; unlink it first.`)
      if (await identityOf(db, user.id, issuer))
        throw new AppError('exists', 'The account is connected with this directory; unlink it first.')
      const username = entry.text(settings.usernameAttribute) ?? name
      const times = { created_at: Date.now(), seen_at: 0, missing_since: null }
      await insertIdentity(db, { issuer, subject, user_id: user.id, username, ...times })
    })
    console.log('account connected')
  },
}

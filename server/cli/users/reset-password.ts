import { AppError } from '../../errors.ts'
import { issueLink } from '../../features/mail/links.ts'
import { Secrets } from '../../features/secrets/secrets.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'
import { demandUser } from './common.ts'

export const command: Command = {
  usage: '<id|username>',
  summary: 'Prints a link with which a user sets a new password, once, within an hour',
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async (db, config) => {
      const user = await demandUser(db, given.positionals[0] ?? '')
      if (user.lockPassword || user.isDisabled) {
        const why = user.isDisabled ? 'is closed' : 'has no password that the user may change'
        throw new AppError('forbidden', `The account of '${printable(user.username)}' ${why}.`)
      }
      const secret = await issueLink({ db, secrets: new Secrets(db, config) }, 'reset', user, '')
      console.log(`${config.publicURL || config.baseURL}/login?link#${secret}`)
    }),
}

import { openLocalCluster } from '../../cluster/local.ts'
import { AppError } from '../../errors.ts'
import { Mails } from '../../features/mail/mails.ts'
import { tryMail } from '../../features/mail/routes.ts'
import { Secrets } from '../../features/secrets/secrets.ts'
import { mailAddress } from '../../lib/mail-address.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable } from '../print.ts'

const SILENT = { error() {}, warn() {} }

export const command: Command = {
  usage: '<address>',
  summary: 'Sends a test mail with the settings of the host, and prints the answer of the mail server',
  words: { least: 1, most: 1 },
  run: given =>
    withDb(given, async (db, config) => {
      const address = mailAddress(given.positionals[0] ?? '')
      if (!address) throw new AppError('bad_request', 'This is no mail address.')
      const parts = { db, cluster: openLocalCluster(), secrets: new Secrets(db, config) }
      const mails = new Mails({ ...parts, config, isOnlyServer: false, log: SILENT })
      try {
        if (!mails.isOn)
          throw new AppError('not_found', 'The host has no mail server: set mail, mailFrom and publicURL.')
        const { step, answer } = await tryMail(mails, { address, locale: '' })
        if (step !== '') throw new AppError('unavailable', `The mail was not sent (${step}): ${printable(answer)}`)
        console.log(`The mail server took the mail: ${printable(answer)}`)
      } finally {
        await mails.close()
      }
    }),
}

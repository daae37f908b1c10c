import { recordAlone } from '../../audit/audit.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { deleteSessionsOf } from '../../features/auth/sessions.store.ts'
import { accountSwitch } from '../../features/directories/account-switch.ts'
import { syncDirectory } from '../../features/directories/sync.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { demandDirectory, explain } from './common.ts'

export const command: Command = {
  usage: '<slug>',
  summary: 'Compares the accounts of an LDAP directory with it, and closes those that are missing for the second time',
  flags: [
    { flag: 'dryRun', boolean: true, doc: 'Only show what would change.' },
    { flag: 'accept', boolean: true, doc: 'Take the answer for true, although most accounts are missing.' },
  ],
  words: { least: 1, most: 1 },
  run: given =>
    withDb(given, async (db, config) => {
      const cluster = openLocalCluster()
      const audit = { record: recordAlone.bind(undefined, db) }
      const endSessions = (userId: number) => deleteSessionsOf(db, userId)
      const deps = { db, cluster, ...accountSwitch({ db, cluster, audit, endSessions }) }
      const directory = demandDirectory(config, given.positionals[0] ?? '')
      const how = { tries: given.flags.get('dryRun') === 'true', accept: given.flags.get('accept') === 'true' }
      const { state, accounts, open, missing, closed, reopened } = await syncDirectory(deps, directory, how).catch(
        explain,
      )
      console.log(`Accounts ${accounts}, of which open in the directory ${open}.`)
      if (state === 'doubtful') console.log('Most of them are missing: no account was changed. Add --accept to go on.')
      else console.log(`Missing for the first time ${missing}, closed ${closed}, open again ${reopened}.`)
    }),
}

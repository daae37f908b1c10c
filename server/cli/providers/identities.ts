import { listIdentities } from '../../features/identities/identities.store.ts'
import { listUsers } from '../../features/users/users.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'

const HEADINGS = ['Issuer', 'Subject', 'User', 'Name at the provider', 'Last sign-in']

export const command: Command = {
  usage: '',
  summary: 'Lists the accounts that are connected with OpenID providers and LDAP directories',
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      const names = new Map((await listUsers(db)).map(({ id, username }) => [id, username]))
      const rows = (await listIdentities(db)).map(({ issuer, subject, user_id, username, seen_at }) => [
        ...[issuer, subject].map(printable),
        user_id === null ? 'removed' : printable(names.get(user_id) ?? ''),
        printable(username),
        seen_at === 0 ? 'never' : new Date(seen_at).toISOString(),
      ])
      printTable(HEADINGS, rows)
    }),
}

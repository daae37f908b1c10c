import type { IdentitiesTable } from '../../db/identities-schema.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { deleteSessionsFrom } from '../../features/auth/sessions.store.ts'
import { listIdentities, replaceIdentity } from '../../features/identities/identities.store.ts'
import { type FoundBy, waitingIdentity } from '../../features/identities/waiting.ts'
import { addressOf } from '../../features/mail/addresses.store.ts'
import { listUsers } from '../../features/users/users.store.ts'
import type { Command } from '../command.ts'
import { inTransaction, withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'
import { demandProvider, describedBy, isIssuer } from './common.ts'

const WAYS: readonly string[] = ['username', 'email'] satisfies FoundBy[]

/** An account, and by what its user is found again: `''` if by nothing, or not by that alone. */
interface Waiting {
  known: IdentitiesTable & { user_id: number }
  value: string
}

export const command: Command = {
  usage: '<slug>',
  summary: 'Lets all accounts of an OpenID provider take new subjects, each at the next sign-in of its user',
  flags: [
    {
      flag: 'by',
      doc: 'How users are found again: `username` (at the provider) or `email` (confirmed here and there).',
    },
    { flag: 'from', doc: 'Former address (issuer) of the provider, if that has changed.' },
    { flag: 'dryRun', boolean: true, doc: 'Only show which accounts would wait.' },
  ],
  words: { least: 1, most: 1 },
  changes: true,
  async run(given) {
    const by = given.flags.get('by') ?? ''
    if (!isWay(by)) throw new AppError('bad_request', `Write --by ${WAYS.join(' or --by ')}.`)
    const tries = given.flags.get('dryRun') === 'true'
    await withDb(given, async (db, config) => {
      const client = demandProvider(config, given.positionals[0] ?? '')
      const { slug } = client.settings
      const from = given.flags.get('from') ?? (await describedBy(client)).issuer
      const found = await inTransaction(db, async transaction => {
        const accounts = await accountsFrom(transaction, from, by)
        for (const { known, value } of tries ? [] : accounts) {
          if (value === '') continue
          await replaceIdentity(transaction, known, waitingIdentity(slug, by, value))
          await deleteSessionsFrom(transaction, slug, known.user_id)
        }
        return accounts
      })
      await print(db, found)
    })
  },
}

const isWay = (text: string): text is FoundBy => WAYS.includes(text)

/** The accounts that are connected with an issuer. What two of them have says nothing about either. */
async function accountsFrom(db: Db, from: string, by: FoundBy): Promise<Waiting[]> {
  const accounts: Waiting[] = []
  const times = new Map<string, number>()
  for (const { user_id, ...rest } of await listIdentities(db)) {
    if (user_id === null || !isIssuer(rest.issuer, from)) continue
    const value = by === 'username' ? rest.username : (await addressOf(db, user_id)).address.toLowerCase()
    accounts.push({ known: { ...rest, user_id }, value })
    times.set(value, (times.get(value) ?? 0) + 1)
  }
  return accounts.map(({ known, value }) => ({ known, value: times.get(value) === 1 ? value : '' }))
}

async function print(db: Db, found: readonly Waiting[]): Promise<void> {
  const names = new Map((await listUsers(db)).map(({ id, username }) => [id, username]))
  const rows = found.map(({ known, value }) => [
    printable(names.get(known.user_id) ?? ''),
    value === '' ? 'left as it is' : printable(value),
  ])
  printTable(['User', 'Waits for'], rows)
}

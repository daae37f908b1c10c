import { rekey } from '../../features/secrets/rekey.ts'
import type { Command } from '../command.ts'
import { inTransaction, withDb } from '../open.ts'
import { printTable } from '../print.ts'

const NAMES = { totp: 'Authenticator apps', session: 'ID tokens', flow: 'Sign-ins under way' } as const

export const command: Command = {
  usage: '',
  summary: 'Seals all secrets in the database with the present secretKey',
  words: { least: 0, most: 0 },
  changes: true,
  async run(given) {
    const done = await withDb(given, (db, config) => inTransaction(db, transaction => rekey(transaction, config)))
    printTable(
      ['Kind', 'Sealed', 'Unreadable'],
      done.map(({ kind, sealed, unreadable }) => [NAMES[kind], String(sealed), String(unreadable)]),
    )
    if (done.every(({ unreadable }) => unreadable === 0)) return
    console.error('Some secrets were sealed with another key. Set secretKeyBefore to it and repeat the command.')
    process.exitCode = 1
  },
}

import { listGrants, type NamedGrant } from '../../features/shares/grants.store.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'
import { demandUser } from '../users/common.ts'

const HEADINGS = ['ID', 'Owner', 'Path', 'To', 'Rights', 'Ends', 'Shared on by', 'Note']

export const command: Command = {
  usage: '',
  summary: 'Lists what users share with users and groups, the oldest first',
  flags: [
    { flag: 'user', short: 'u', doc: 'Only what the user with this name or id shares.' },
    { flag: 'json', boolean: true, doc: 'Print a JSON object for each.' },
  ],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      const word = given.flags.get('user')
      const owner = word === undefined ? undefined : await demandUser(db, word)
      const rows = (await listGrants(db, owner ? { ownerId: owner.id } : {})).map(rowOf)
      if (given.flags.get('json') === 'true') for (const row of rows) console.log(JSON.stringify(row))
      else printTable(HEADINGS, rows.map(cellsOf))
    }),
}

const rowOf = ({ id, owner, giver, path, to, toName, rights, expiresAt, note }: NamedGrant) => ({
  ...{ id, owner, path, to: `${to.kind}:${toName}`, rights },
  ...{ ends: expiresAt === null ? null : new Date(expiresAt).toISOString(), by: giver, note },
})

const cellsOf = ({ id, owner, path, to, rights, ends, by, note }: ReturnType<typeof rowOf>) => [
  ...[id, printable(owner), printable(path), printable(to)],
  ...[rights.join(','), ends ?? 'never', printable(by ?? ''), printable(note)],
]

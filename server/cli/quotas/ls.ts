import { NO_LIMIT, type UserQuota } from '../../../shared/api/quotas.ts'
import { allQuotas } from '../../features/quotas/view.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'
import { shownBytes } from './size.ts'

export const command: Command = {
  usage: '',
  summary: 'Lists the quotas of users and groups, and what the homes hold',
  flags: [{ flag: 'json', boolean: true, doc: 'Print JSON, with sizes in bytes.' }],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      const { users, groups } = await allQuotas(db)
      if (given.flags.get('json') === 'true') return console.log(JSON.stringify({ users, groups }))
      printTable(
        ['Quota of', 'Limit', 'Used', 'Reserved', 'By', 'State'],
        [
          ...users.map(rowOf),
          ...groups.map(({ name, own }) => [`group:${printable(name)}`, limitText(own), '', '', '', '']),
        ],
      )
    }),
}

function rowOf({ username, limit, used, reserved, group, exact }: UserQuota): string[] {
  const by = group ? printable(group.name) : 'own'
  const state = exact ? 'exact' : 'counting'
  const shown = limit === null ? ['', '', by, ''] : [shownBytes(used), shownBytes(reserved), by, state]
  return [`user:${printable(username)}`, limitText(limit ?? NO_LIMIT), ...shown]
}

const limitText = (bytes: number) => (bytes === NO_LIMIT ? 'unlimited' : shownBytes(bytes))

import { NO_LIMIT, type QuotaAnswer, type UserQuota } from '../../../shared/api/quotas.ts'
import { allQuotas } from '../../features/quotas/view.ts'
import type { Command } from '../command.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'
import { shownBytes } from './size.ts'

export const command: Command = {
  usage: '',
  summary: 'Lists the quotas of users, groups, further roots and mounts, and what lies there',
  flags: [{ flag: 'json', boolean: true, doc: 'Print JSON, with sizes in bytes.' }],
  words: { least: 0, most: 0 },
  run: given =>
    withDb(given, async db => {
      const { users, groups, roots, mounts } = await allQuotas(db)
      if (given.flags.get('json') === 'true') return console.log(JSON.stringify({ users, groups, roots, mounts }))
      printTable(
        ['Quota of', 'Limit', 'Used', 'Reserved', 'By', 'State', 'Items'],
        [
          ...users.map(rowOf),
          ...groups.map(({ name, own, ownItems }) => [
            ...[`group:${printable(name)}`, own === null ? '' : limitText(own), '', '', '', ''],
            ownItems === null ? '' : itemsText(ownItems),
          ]),
          ...roots.map(root => placeRow(`root:${root.name}`, root)),
          ...mounts.map(mount => placeRow(`mount:${printable(mount.name)}`, mount)),
        ],
      )
    }),
}

function rowOf({
  username,
  own,
  limit,
  used,
  reserved,
  group,
  exact,
  items,
  ownItems,
  itemsGroup,
}: UserQuota): string[] {
  const by = group ? printable(group.name) : own === null ? '' : 'own'
  const state = exact ? 'exact' : 'counting'
  const shown = limit === null ? ['', '', by, ''] : [shownBytes(used), shownBytes(reserved), by, state]
  const limitShown = by === '' ? '' : limitText(limit ?? NO_LIMIT)
  const hasItems = ownItems !== null || itemsGroup !== undefined
  const counted = items.limit === null ? 'unlimited' : countedOf(items)
  return [`user:${printable(username)}`, limitShown, ...shown, hasItems ? counted : '']
}

function placeRow(name: string, { limit, used, reserved, exact, items }: QuotaAnswer): string[] {
  const shown = [limit === null ? '' : limitText(limit), shownBytes(used), shownBytes(reserved)]
  return [name, ...shown, 'own', exact ? 'exact' : 'counting', items.limit === null ? '' : countedOf(items)]
}

const countedOf = ({ used, limit }: QuotaAnswer['items']) => `${used} of ${limit}`
const itemsText = (items: number) => (items === NO_LIMIT ? 'unlimited' : String(items))
const limitText = (bytes: number) => (bytes === NO_LIMIT ? 'unlimited' : shownBytes(bytes))

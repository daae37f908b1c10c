import { EVERYONE } from '../../../shared/api/groups.ts'
import { listGroups } from '../../features/groups/groups.store.ts'
import { reorderGroups } from '../../features/groups/groups.ts'
import type { Command } from '../command.ts'
import { demandGroup, groupDeps } from '../named-group.ts'
import { withDb } from '../open.ts'
import { printGroups } from './common.ts'

export const command: Command = {
  usage: '<id|name>...',
  summary: 'Puts these groups first, in this order; rules of later groups win',
  words: { least: 1, most: 1000 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const named: string[] = []
      for (const word of given.positionals) named.push((await demandGroup(db, word)).id)
      const others = (await listGroups(db)).map(({ id }) => id).filter(id => id !== EVERYONE && !named.includes(id))
      await reorderGroups(groupDeps(db), [...named, ...others])
      await printGroups(db, await listGroups(db))
    }),
}

import { removeGroup } from '../../features/groups/groups.ts'
import type { Command } from '../command.ts'
import { demandGroup, groupDeps } from '../named-group.ts'
import { withDb } from '../open.ts'

export const command: Command = {
  usage: '<id|name>',
  summary: 'Removes a group; its members stay',
  words: { least: 1, most: 1 },
  changes: true,
  async run(given) {
    await withDb(given, async db => {
      const { id } = await demandGroup(db, given.positionals[0] ?? '')
      await removeGroup(groupDeps(db), id)
    })
    console.log('group removed')
  },
}

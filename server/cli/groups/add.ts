import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import { addGroup } from '../../features/groups/groups.ts'
import type { Command } from '../command.ts'
import { groupDeps } from '../named-group.ts'
import { withDb } from '../open.ts'
import { GROUP_FLAGS, printGroups, withFlags } from './common.ts'

export const command: Command = {
  usage: '<name>',
  summary: 'Adds a group behind all others',
  flags: GROUP_FLAGS,
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const [name = ''] = given.positionals
      const blank = { name, description: '', perm: NO_PERMISSIONS, rules: [] }
      await printGroups(db, [await addGroup(groupDeps(db), withFlags(blank, given, GROUP_FLAGS))])
    }),
}

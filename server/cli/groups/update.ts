import { AppError } from '../../errors.ts'
import { changeGroup } from '../../features/groups/groups.ts'
import type { Command } from '../command.ts'
import { type FieldFlag, fieldFlag, givenFields } from '../fields.ts'
import { demandGroup, groupDeps } from '../named-group.ts'
import { withDb } from '../open.ts'
import { GROUP_FLAGS, printGroups, withFlags } from './common.ts'

const FLAGS: readonly FieldFlag[] = [...GROUP_FLAGS, fieldFlag('name', 'text', 'name', 'New name.')]

export const command: Command = {
  usage: '<id|name>',
  summary: 'Changes the given fields of a group',
  flags: FLAGS,
  words: { least: 1, most: 1 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      if (givenFields(given.flags, FLAGS).length === 0)
        throw new AppError('bad_request', 'No changes given. Try: filigree help groups update')
      const group = await demandGroup(db, given.positionals[0] ?? '')
      await printGroups(db, [await changeGroup(groupDeps(db), group.id, withFlags(group, given, FLAGS))])
    }),
}

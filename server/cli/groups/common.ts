import { EVERYONE } from '../../../shared/api/groups.ts'
import { PERMISSIONS, type Permissions } from '../../../shared/permissions.ts'
import type { Db } from '../../db/schema.ts'
import type { GroupFields, StoredGroup } from '../../features/groups/groups.store.ts'
import { groupsToWire } from '../../features/groups/views.ts'
import type { Arguments } from '../command.ts'
import { applyFlags, type FieldFlag, fieldFlag } from '../fields.ts'
import { printable, printTable } from '../print.ts'

/** What a group has, except its rules, which `filigree rules --group` changes. */
export const GROUP_FLAGS: readonly FieldFlag[] = [
  fieldFlag('description', 'text', 'description', 'What the group is for.'),
  ...PERMISSIONS.map(name => fieldFlag(`perm.${name}`, 'switch', `perm.${name}`, `Gives the permission: ${name}.`)),
]

/** The fields of a group with those of the flags. */
export function withFlags(fields: GroupFields, { flags }: Arguments, known: readonly FieldFlag[]): GroupFields {
  const { name, description, perm, rules } = fields
  return applyFlags({ name, description, perm, rules }, flags, known) as unknown as GroupFields
}

export async function printGroups(db: Db, groups: readonly StoredGroup[]): Promise<void> {
  const rows = await groupsToWire(db, groups)
  printTable(
    ['ID', 'Name', 'Gives', 'Rules', 'Members', 'Description'],
    rows.map(({ id, name, perm, rules, members, description }) => [
      ...[id, printable(name), givenBy(perm), String(rules.length)],
      id === EVERYONE ? 'all' : String(members),
      printable(description),
    ]),
  )
}

const givenBy = (perm: Permissions) => PERMISSIONS.filter(name => perm[name]).join(',') || '-'

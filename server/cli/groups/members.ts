import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { addMember, removeMember } from '../../features/groups/groups.ts'
import { listMembers } from '../../features/groups/members.store.ts'
import { LIMITS } from '../../limits.ts'
import type { Command } from '../command.ts'
import { demandGroup, groupDeps } from '../named-group.ts'
import { withDb } from '../open.ts'
import { printable, printTable } from '../print.ts'
import { demandUser } from '../users/common.ts'

export const command: Command = {
  usage: '<id|name> [add|rm <user>...]',
  summary: 'Lists the members of a group, puts users into it, or takes them out',
  words: { least: 1, most: 1000 },
  changes: true,
  run: given =>
    withDb(given, async db => {
      const [word = '', act, ...users] = given.positionals
      const { id } = await demandGroup(db, word)
      if (act !== undefined) await change(db, id, act, users)
      await printMembers(db, id)
    }),
}

async function change(db: Db, group: string, act: string, users: readonly string[]): Promise<void> {
  if (!['add', 'rm'].includes(act) || users.length === 0)
    throw new AppError('bad_request', 'After the group comes nothing, or add or rm with users.')
  for (const word of users) {
    const user = await demandUser(db, word)
    if (act === 'add') await addMember(groupDeps(db), group, user.id)
    else await removeMember(groupDeps(db), group, user.id).catch(explain)
  }
}

function explain(error: unknown): never {
  if (!(error instanceof AppError)) throw error
  if (error.code === 'exists') throw new AppError('exists', 'A provider gives this membership.')
  throw error.code === 'not_found' ? new AppError('not_found', 'The user is not in the group.') : error
}

async function printMembers(db: Db, group: string): Promise<void> {
  const rows: string[][] = []
  for (let after = 0, more = true; more; ) {
    const page = await listMembers(db, group, { after, most: LIMITS.groupMembersPage, now: Date.now() })
    for (const { id, username, sources, expiresAt } of page.members) {
      const end = expiresAt === null ? 'never' : new Date(expiresAt).toISOString()
      rows.push([String(id), printable(username), sources.join(','), end])
    }
    after = page.members.at(-1)?.id ?? after
    more = page.more
  }
  printTable(['ID', 'Username', 'By', 'Ends'], rows)
}

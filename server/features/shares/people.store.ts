import type { Recipient } from '../../../shared/api/grants.ts'
import { EVERYONE } from '../../../shared/api/groups.ts'
import type { User } from '../../../shared/api/users.ts'
import type { Db } from '../../db/schema.ts'
import { storable } from '../../db/text.ts'
import type { Actor } from '../../files/policy.ts'
import { LIMITS } from '../../limits.ts'
import { keyOf } from '../groups/groups.store.ts'

type Searcher = Pick<User, 'id' | 'perm'> & Pick<Actor, 'groups'>

/**
 * Users and groups with whom a user may share: by a part of the name those in a common group, and the groups that the
 * user is in; by the whole name every user. Administrators find all. The group of all users counts as no common group.
 */
export async function findRecipients(db: Db, user: Searcher, part: string): Promise<Recipient[]> {
  const text = part.trim()
  if (text === '' || storable(text) !== text) return []
  const key = keyOf(text)
  const groups = await groupsNear(db, user)
  const named = groups.filter(({ name }) => keyOf(name).includes(key)).slice(0, LIMITS.recipients)
  const users = await usersNear(db, user, text)
  return [
    ...users.map(({ id, username }): Recipient => ({ kind: 'user', id: String(id), name: username })),
    ...named.map(({ id, name }): Recipient => ({ kind: 'group', id, name })),
  ].slice(0, LIMITS.recipients)
}

async function groupsNear(db: Db, { perm, groups = [] }: Searcher): Promise<readonly { id: string; name: string }[]> {
  if (!perm.admin) return groups.filter(({ id }) => id !== EVERYONE)
  return db.selectFrom('groups').select(['id', 'name']).where('id', '!=', EVERYONE).orderBy('name_key').execute()
}

async function usersNear(db: Db, { id, perm, groups = [] }: Searcher, text: string) {
  const common = groups.map(group => group.id).filter(group => group !== EVERYONE)
  const part = text.toLowerCase()
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', '!=', id)
    .where(({ or, and, eb, fn, selectFrom, val }) => {
      // The engines have no common function for a part of a text.
      const without = fn<string>('replace', [fn('lower', ['username']), val(part), val('')])
      const hasPart = eb(without, '!=', fn<string>('lower', ['username']))
      const members = selectFrom('group_members')
        .select('user_id')
        .where('group_id', 'in', common.length > 0 ? common : [''])
      const isNear = perm.admin ? val(true) : eb('id', 'in', members)
      return or([eb('username', '=', text), and([hasPart, isNear])])
    })
    .orderBy('username')
    .limit(LIMITS.recipients)
    .execute()
}

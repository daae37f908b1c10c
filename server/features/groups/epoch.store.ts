import { sql } from 'kysely'
import { EVERYONE } from '../../../shared/api/groups.ts'
import type { Db } from '../../db/schema.ts'

/** Users whose access changes: some, the members of a group, or all. */
export type Whom = { users: readonly number[] } | { group: string } | 'everyone'

/**
 * Counts up the epoch of users, which makes every server read their groups again, and their tokens due for renewal. It
 * runs in the transaction of the change that it announces.
 */
export async function bumpAccess(db: Db, whom: Whom): Promise<void> {
  const all = db.updateTable('users').set({ access_epoch: sql<number>`access_epoch + 1`, modified_at: Date.now() })
  if (whom === 'everyone' || ('group' in whom && whom.group === EVERYONE)) {
    await all.execute()
    return
  }
  if ('users' in whom) {
    if (whom.users.length > 0) await all.where('id', 'in', [...whom.users]).execute()
    return
  }
  const members = db.selectFrom('group_members').select('user_id').where('group_id', '=', whom.group)
  await all.where('id', 'in', members).execute()
}

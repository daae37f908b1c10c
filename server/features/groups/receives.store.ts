import type { Db } from '../../db/schema.ts'

/** Whether anything is shared with a user, or with one of some groups; ended and left grants count as well. */
export async function receivesAnything(db: Db, userId: number, groups: readonly string[]): Promise<boolean> {
  const some = db
    .selectFrom('grants')
    .select('hash')
    .where(({ or, eb }) =>
      or([eb('to_user', '=', userId), ...(groups.length > 0 ? [eb('to_group', 'in', [...groups])] : [])]),
    )
    .where('user_id', '!=', userId)
  return (await some.limit(1).executeTakeFirst()) !== undefined
}

import type { Db } from '../../db/schema.ts'

/** What a user receives: whether anything, and the next end of a part of it, in milliseconds; `Infinity` for none. */
export interface Receiving {
  receives: boolean
  endsAt: number
}

/**
 * Whether anything is shared with a user, or with one of some groups, and when that ends next beyond `now`; ended and left
 * grants count as well.
 */
export async function receivesAnything(
  db: Db,
  userId: number,
  groups: readonly string[],
  now: number,
): Promise<Receiving> {
  const all = db
    .selectFrom('grants')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<number | null>('expires_at').filterWhere('expires_at', '>', now).as('ends'),
    ])
    .where(({ or, eb }) =>
      or([eb('to_user', '=', userId), ...(groups.length > 0 ? [eb('to_group', 'in', [...groups])] : [])]),
    )
    .where('user_id', '!=', userId)
  const { count, ends } = await all.executeTakeFirstOrThrow()
  return { receives: Number(count) > 0, endsAt: ends === null ? Number.POSITIVE_INFINITY : Number(ends) }
}

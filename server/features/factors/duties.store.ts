import type { Db } from '../../db/schema.ts'

/** Notes until when a user may do without a second factor, unless it is noted already. @returns the noted time */
export async function noteDuty(db: Db, userId: number, dueAt: number): Promise<number> {
  const known = await findDuty(db, userId)
  if (known !== undefined) return known
  const row = db.insertInto('factor_duties').values({ user_id: userId, due_at: dueAt })
  await row.onConflict(conflict => conflict.column('user_id').doNothing()).execute()
  return (await findDuty(db, userId)) ?? dueAt
}

/** The grace of a user begins again. */
export async function dropDuty(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('factor_duties').where('user_id', '=', userId).execute()
}

async function findDuty(db: Db, userId: number): Promise<number | undefined> {
  const row = await db.selectFrom('factor_duties').select('due_at').where('user_id', '=', userId).executeTakeFirst()
  return row?.due_at
}

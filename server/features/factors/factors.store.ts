import type { TotpTable } from '../../db/factors-schema.ts'
import type { Db } from '../../db/schema.ts'

export async function findTotp(db: Db, userId: number): Promise<TotpTable | undefined> {
  return db.selectFrom('totp').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Stores an app that is to be confirmed; it replaces one that was not. @returns `false` if one is confirmed */
export async function storePending(db: Db, userId: number, secret: string): Promise<boolean> {
  const values = { secret, confirmed_at: 0, last_step: 0, created_at: Date.now() }
  const rows = await db
    .insertInto('totp')
    .values({ user_id: userId, ...values })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(values).where('totp.confirmed_at', '=', 0))
    .returning('user_id')
    .execute()
  return rows.length > 0
}

/** Uses up a step. @returns whether neither it nor a later one was used */
export async function takeStep(db: Db, userId: number, step: number): Promise<boolean> {
  const rows = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('confirmed_at', '>', 0)
    .where('last_step', '<', step)
    .returning('user_id')
    .execute()
  return rows.length > 0
}

/** Turns an app on with its first code, which is used up. @returns whether it was still to be confirmed */
export async function confirmTotp(db: Db, { user_id, secret }: TotpTable, step: number): Promise<boolean> {
  const rows = await db
    .updateTable('totp')
    .set({ confirmed_at: Date.now(), last_step: step })
    .where('user_id', '=', user_id)
    .where('secret', '=', secret)
    .where('confirmed_at', '=', 0)
    .returning('user_id')
    .execute()
  return rows.length > 0
}

/** Uses up a recovery code. @returns whether there was such an unused one */
export async function takeRecoveryCode(db: Db, userId: number, hash: string): Promise<boolean> {
  const rows = await db
    .updateTable('recovery_codes')
    .set({ used_at: Date.now() })
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('hash')
    .execute()
  return rows.length > 0
}

/** Replaces all recovery codes of a user. */
export async function replaceRecoveryCodes(db: Db, userId: number, hashes: readonly string[]): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  if (hashes.length === 0) return
  const rows = hashes.map(hash => ({ user_id: userId, hash, used_at: null }))
  await db.insertInto('recovery_codes').values(rows).execute()
}

/** Unused recovery codes of a user. */
export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const found = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(found.count)
}

/** Removes every factor of a user. @returns whether there was a confirmed one */
export async function deleteFactors(db: Db, userId: number): Promise<boolean> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  const row = await db.deleteFrom('totp').where('user_id', '=', userId).returning('confirmed_at').executeTakeFirst()
  return row !== undefined && row.confirmed_at > 0
}

/** Ids of the users who have a second factor, with the time of its confirmation. */
export async function listTotp(db: Db): Promise<{ user_id: number; confirmed_at: number }[]> {
  return db.selectFrom('totp').select(['user_id', 'confirmed_at']).where('confirmed_at', '>', 0).execute()
}

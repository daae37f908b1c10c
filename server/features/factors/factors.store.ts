import type { TotpTable } from '../../db/factors-schema.ts'
import type { Db } from '../../db/schema.ts'
import { dropDuty } from './duties.store.ts'

/** Whether a user has a second factor that counts. */
export async function hasFactor(db: Db, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('totp')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', '>', 0)
    .unionAll(db.selectFrom('passkeys').select('user_id').where('user_id', '=', userId))
    .limit(1)
    .execute()
  return found.length > 0
}

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

/** Removes the app of a user. @returns whether there was a confirmed one */
export async function deleteTotp(db: Db, userId: number): Promise<boolean> {
  const row = await db.deleteFrom('totp').where('user_id', '=', userId).returning('confirmed_at').executeTakeFirst()
  return row !== undefined && row.confirmed_at > 0
}

/** Removes every factor of a user; under the duty to have one, the grace begins again. @returns whether there was one */
export async function deleteFactors(db: Db, userId: number): Promise<boolean> {
  const had = await hasFactor(db, userId)
  await deleteTotp(db, userId)
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await replaceRecoveryCodes(db, userId, [])
  await dropDuty(db, userId)
  return had
}

/** Ids of the users who have an app, with the time of its confirmation. */
export async function listTotp(db: Db): Promise<{ user_id: number; confirmed_at: number }[]> {
  return db.selectFrom('totp').select(['user_id', 'confirmed_at']).where('confirmed_at', '>', 0).execute()
}

/** Ids of the users who have passkeys, with their number. */
export async function countPasskeys(db: Db): Promise<{ user_id: number; count: number }[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(({ fn }) => ['user_id', fn.countAll().as('count')])
    .groupBy('user_id')
    .execute()
  return rows.map(({ user_id, count }) => ({ user_id, count: Number(count) }))
}

import type { PasskeysTable } from '../../db/factors-schema.ts'
import type { Db } from '../../db/schema.ts'

/** The passkeys of a user, the oldest first. */
export async function listPasskeys(db: Db, userId: number): Promise<PasskeysTable[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
}

export async function findPasskey(db: Db, credential: string): Promise<PasskeysTable | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential', '=', credential).executeTakeFirst()
}

/** Whether any user has a passkey. */
export async function hasPasskeys(db: Db): Promise<boolean> {
  return (await db.selectFrom('passkeys').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** @returns `false` if the credential is known already */
export async function insertPasskey(db: Db, passkey: PasskeysTable): Promise<boolean> {
  const rows = await db
    .insertInto('passkeys')
    .values(passkey)
    .onConflict(conflict => conflict.column('credential').doNothing())
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Notes a use. @returns whether the counter is above the one before, or neither counts, and no copy was seen */
export async function noteCounter(db: Db, id: string, counter: number): Promise<boolean> {
  const rows = await db
    .updateTable('passkeys')
    .set({ counter, used_at: Date.now() })
    .where('id', '=', id)
    .where('copied_at', 'is', null)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .returning('id')
    .execute()
  return rows.length > 0
}

/** Marks a passkey whose counter went back. @returns whether it was not marked before */
export async function noteCopy(db: Db, id: string): Promise<boolean> {
  const rows = await db
    .updateTable('passkeys')
    .set({ copied_at: Date.now() })
    .where('id', '=', id)
    .where('copied_at', 'is', null)
    .returning('id')
    .execute()
  return rows.length > 0
}

/** @returns the passkey with its new name; `undefined` if the user has no such one */
export async function renamePasskey(
  db: Db,
  userId: number,
  id: string,
  label: string,
): Promise<PasskeysTable | undefined> {
  return db
    .updateTable('passkeys')
    .set({ label })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()
}

/** @returns its name; `undefined` if the user has no such one */
export async function deletePasskey(db: Db, userId: number, id: string): Promise<string | undefined> {
  const row = await db
    .deleteFrom('passkeys')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('label')
    .executeTakeFirst()
  return row?.label
}

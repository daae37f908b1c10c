import type { KnownDevicesTable } from '../../db/factors-schema.ts'
import type { Db } from '../../db/schema.ts'

export async function insertDevice(db: Db, device: KnownDevicesTable): Promise<void> {
  await db.deleteFrom('known_devices').where('expires_at', '<=', Date.now()).execute()
  await db.insertInto('known_devices').values(device).execute()
}

/** Remembered browsers of a user, most recently used first. */
export async function listDevices(db: Db, userId: number): Promise<KnownDevicesTable[]> {
  return db
    .selectFrom('known_devices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', Date.now())
    .orderBy('used_at', 'desc')
    .execute()
}

/**
 * Replaces the secret of a remembered browser of a user, once.
 * @param change the secret that must count, and the next one, both as SHA-256
 * @returns when the browser is forgotten; `undefined` if the secret does not count
 */
export async function takeDevice(
  db: Db,
  { id, userId }: { id: string; userId: number },
  change: { from: string; to: string; address: string },
): Promise<number | undefined> {
  const row = await db
    .updateTable('known_devices')
    .set({ secret: change.to, used_at: Date.now(), address: change.address })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('secret', '=', change.from)
    .where('expires_at', '>', Date.now())
    .returning('expires_at')
    .executeTakeFirst()
  return row?.expires_at
}

/** Forgets one browser of a user, or all. @returns whether there was one */
export async function deleteDevices(db: Db, userId: number, id?: string): Promise<boolean> {
  let some = db.deleteFrom('known_devices').where('user_id', '=', userId)
  if (id !== undefined) some = some.where('id', '=', id)
  return (await some.returning('id').execute()).length > 0
}

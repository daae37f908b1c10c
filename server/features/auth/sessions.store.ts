import type { Db, SessionsTable } from '../../db/schema.ts'

export async function insertSession(db: Db, session: SessionsTable): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

export async function findSession(db: Db, id: string): Promise<SessionsTable | undefined> {
  return db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function extendSession(db: Db, id: string, renewedAt: number, expiresAt: number): Promise<void> {
  await db.updateTable('sessions').set({ renewed_at: renewedAt, expires_at: expiresAt }).where('id', '=', id).execute()
}

/** @returns whose it was, if there was one */
export async function deleteSession(db: Db, id: string): Promise<number | undefined> {
  const row = await db.deleteFrom('sessions').where('id', '=', id).returning('user_id').executeTakeFirst()
  return row?.user_id
}

/** Ends every session of a user but one. */
export async function deleteSessionsOf(db: Db, userId: number, exceptId = ''): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', exceptId).execute()
}

export async function deleteExpiredSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
}

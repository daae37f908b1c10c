import { prepared } from '../../db/prepared.ts'
import type { Db, SessionsTable } from '../../db/schema.ts'
import { deleteDevices } from '../factors/devices.store.ts'

/** The client of a session, as far as its requests reveal it. */
export interface Device {
  address: string
  /** `User-Agent`, truncated. */
  agent: string
}

export async function insertSession(db: Db, session: SessionsTable): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

export const findSession: (db: Db, id: string) => Promise<SessionsTable | undefined> = prepared((db, id) =>
  db.selectFrom('sessions').selectAll().where('id', '=', id),
)

/** Live sessions of a user, most recently used first. */
export async function listSessions(db: Db, userId: number, now: number): Promise<SessionsTable[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
}

/** Live sessions that began at a provider. */
export async function listSessionsFrom(
  db: Db,
  provider: string,
  { sid, userId }: { sid?: string; userId?: number },
  now: number,
): Promise<SessionsTable[]> {
  let some = db.selectFrom('sessions').selectAll().where('provider', '=', provider).where('expires_at', '>', now)
  if (sid !== undefined) some = some.where('provider_sid', '=', sid)
  if (userId !== undefined) some = some.where('user_id', '=', userId)
  return some.execute()
}

export async function extendSession(db: Db, id: string, renewedAt: number, expiresAt: number): Promise<void> {
  await db.updateTable('sessions').set({ renewed_at: renewedAt, expires_at: expiresAt }).where('id', '=', id).execute()
}

/** The time of a rotation whose new token was not used yet: never. */
export const UNUSED = 8.64e15

/** Replaces the current token, unless a concurrent request did. */
export async function rotateToken(db: Db, { id, token_id }: SessionsTable, tokenId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ token_id: tokenId, previous_id: token_id, rotated_at: UNUSED })
    .where('id', '=', id)
    .where('token_id', '=', token_id)
    .execute()
}

/** The new token was used for the first time. */
export async function noteRotation(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('sessions').set({ rotated_at: now }).where('id', '=', id).execute()
}

export async function noteConfirmation(db: Db, id: string, now: number): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: now }).where('id', '=', id).execute()
}

/** The session of a provider to which one of its sessions here belongs from now on. @param idToken sealed */
export async function noteSignIn(
  db: Db,
  id: string,
  { provider, sid, idToken }: { provider: string; sid: string; idToken: string },
): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ provider_sid: sid, id_token: idToken })
    .where('id', '=', id)
    .where('provider', '=', provider)
    .execute()
}

export async function noteUse(db: Db, id: string, device: Device, now: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ seen_at: now, ...device })
    .where('id', '=', id)
    .execute()
}

/** @returns the id of its user, if the session existed */
export async function deleteSession(db: Db, id: string): Promise<number | undefined> {
  const row = await db.deleteFrom('sessions').where('id', '=', id).returning('user_id').executeTakeFirst()
  return row?.user_id
}

/** Ends the sessions that a personal API token started. */
export async function deleteSessionsOfToken(db: Db, userId: number, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'like', `${sessionId}:%`).execute()
}

/** Ends the sessions of a user that began at a provider. */
export async function deleteSessionsFrom(db: Db, provider: string, userId: number): Promise<void> {
  await db.deleteFrom('sessions').where('provider', '=', provider).where('user_id', '=', userId).execute()
}

/** Ends every session of a user, except `exceptId`, and forgets the browsers that need no second factor. */
export async function deleteSessionsOf(db: Db, userId: number, exceptId = ''): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', exceptId).execute()
  await deleteDevices(db, userId)
}

export async function deleteExpiredSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
}

/** Records when a user began a session or renewed one. */
export async function noteSeen(db: Db, userId: number, at: number): Promise<void> {
  await db
    .insertInto('last_seen')
    .values({ user_id: userId, at })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet({ at }))
    .execute()
}

/** When each user was last active, in milliseconds: by a session, or by a personal API token. */
export async function listSeen(db: Db): Promise<Map<number, number>> {
  const timesIn = <Row extends { user_id: number; at: number | string | null }>(rows: readonly Row[]) =>
    rows.map(({ user_id, at }) => [user_id, Number(at ?? 0)] as const)
  const { fn } = db
  const noted = await db.selectFrom('last_seen').selectAll().execute()
  const sessions = db
    .selectFrom('sessions')
    .select(['user_id', fn.max('seen_at').as('at')])
    .groupBy('user_id')
  const tokens = db
    .selectFrom('api_tokens')
    .select(['user_id', fn.max('used_at').as('at')])
    .groupBy('user_id')
  const seen = new Map<number, number>()
  for (const [user, at] of [
    ...timesIn(noted),
    ...timesIn(await sessions.execute()),
    ...timesIn(await tokens.execute()),
  ])
    if (at > (seen.get(user) ?? 0)) seen.set(user, at)
  return seen
}

import { sql } from 'kysely'
import type { IdentitiesTable } from '../../db/identities-schema.ts'
import type { Db } from '../../db/schema.ts'
import { storable } from '../../db/text.ts'

/** The longest noted name, in characters. */
const LONGEST_NAME = 255

/** How a provider names a user. */
export interface Identity {
  issuer: string
  subject: string
}

export async function findIdentity(db: Db, { issuer, subject }: Identity): Promise<IdentitiesTable | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** The identity that an account has with one issuer. */
export async function identityOf(db: Db, userId: number, issuer: string): Promise<IdentitiesTable | undefined> {
  return db
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
}

/** Up to two accounts that confirmed a mail address, letter case aside. */
export async function accountsWithAddress(db: Db, address: string): Promise<number[]> {
  const rows = await db
    .selectFrom('mail_addresses')
    .select('user_id')
    .where(sql`lower(address)`, '=', address.toLowerCase())
    .limit(2)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** The identities of an account, in the order in which they were connected. */
export async function identitiesOf(db: Db, userId: number): Promise<IdentitiesTable[]> {
  return db.selectFrom('identities').selectAll().where('user_id', '=', userId).orderBy('created_at').execute()
}

/** Identities of one issuer whose accounts exist, by subject, in pages. */
export async function identitiesFrom(
  db: Db,
  issuer: string,
  { after, most }: { after: string; most: number },
): Promise<(IdentitiesTable & { user_id: number })[]> {
  const rows = await db
    .selectFrom('identities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '>', after)
    .where('user_id', 'is not', null)
    .orderBy('subject')
    .limit(most)
    .execute()
  return rows.flatMap(({ user_id, ...rest }) => (user_id === null ? [] : { user_id, ...rest }))
}

/** Notes since when an issuer does not vouch for a user; null when it does. */
export async function noteMissing(db: Db, { issuer, subject }: Identity, since: number | null): Promise<void> {
  await db
    .updateTable('identities')
    .set({ missing_since: since })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** All identities, those of one issuer together. */
export async function listIdentities(db: Db): Promise<IdentitiesTable[]> {
  return db.selectFrom('identities').selectAll().orderBy('issuer').orderBy('subject').execute()
}

/** @returns whether there was one */
export async function deleteIdentity(db: Db, { issuer, subject }: Identity): Promise<boolean> {
  const row = await db
    .deleteFrom('identities')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('subject')
    .executeTakeFirst()
  return row !== undefined
}

/** Gives the account of an identity another one in its place, without a sign-in so far. */
export async function replaceIdentity(db: Db, former: Identity, { issuer, subject }: Identity): Promise<void> {
  await db
    .updateTable('identities')
    .set({ issuer, subject, username: '', seen_at: 0, missing_since: null })
    .where('issuer', '=', former.issuer)
    .where('subject', '=', former.subject)
    .execute()
}

/** @throws AppError `exists` when the account has an identity of this issuer, `unauthorized` when it was removed */
export async function insertIdentity(db: Db, identity: IdentitiesTable): Promise<void> {
  await db
    .insertInto('identities')
    .values({ ...identity, username: noted(identity.username) })
    .execute()
}

export async function noteIdentity(db: Db, { issuer, subject }: Identity, username: string): Promise<void> {
  await db
    .updateTable('identities')
    .set({ username: noted(username), seen_at: Date.now(), missing_since: null })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** A provider may send anything as a name. */
const noted = (name: string): string => storable(name.slice(0, LONGEST_NAME))

/** Notes a logout token. @returns whether it is new */
export async function noteLogoutToken(db: Db, issuer: string, jti: string, expiresAt: number): Promise<boolean> {
  await db.deleteFrom('logout_tokens_seen').where('expires_at', '<=', Date.now()).execute()
  const row = await db
    .insertInto('logout_tokens_seen')
    .values({ issuer, jti, expires_at: expiresAt })
    .onConflict(conflict => conflict.columns(['issuer', 'jti']).doNothing())
    .returning('jti')
    .executeTakeFirst()
  return row !== undefined
}

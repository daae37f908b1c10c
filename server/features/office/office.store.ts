import type { FilePath } from '../../../shared/path.ts'
import { isOneOf } from '../../db/path-columns.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'

/** What a token of an office editor stands for. */
export interface StoredToken {
  hash: string
  fileId: string
  userId: number
  /** The session in which the file was opened. */
  bearer: string
  mayWrite: boolean
  /** Milliseconds since the epoch. */
  expiresAt: number
}

export interface FoundToken extends Omit<StoredToken, 'hash'> {
  /** Of the file, in the served root. */
  place: FilePath
}

/** The token of a hash, unless it has expired. */
export async function findToken(db: Db, hash: string): Promise<FoundToken | undefined> {
  const row = await db
    .selectFrom('office_tokens')
    .innerJoin('office_files', 'office_files.id', 'office_tokens.file_id')
    .selectAll('office_tokens')
    .select('office_files.place')
    .where('hash', '=', hash)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  if (!row) return undefined
  return {
    fileId: row.file_id,
    userId: row.user_id,
    bearer: row.bearer,
    mayWrite: row.may_write === 1,
    expiresAt: Number(row.expires_at),
    place: fromStored(row.place) as FilePath,
  }
}

export async function insertToken(db: Db, token: StoredToken): Promise<void> {
  const { hash, fileId, userId, bearer, mayWrite, expiresAt } = token
  const row = { hash, file_id: fileId, user_id: userId, bearer, may_write: mayWrite ? 1 : 0, expires_at: expiresAt }
  await db.insertInto('office_tokens').values(row).execute()
}

/** The id of the file at a place, if an editor has opened it; it is noted as opened now. */
export async function openFileAt(db: Db, place: FilePath, now: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('office_files')
    .select('id')
    .where(isOneOf(db, 'place', [place]))
    .executeTakeFirst()
  if (row) await db.updateTable('office_files').set({ opened_at: now }).where('id', '=', row.id).execute()
  return row?.id
}

export async function insertFile(
  db: Db,
  { id, place, now }: { id: string; place: FilePath; now: number },
): Promise<void> {
  await db
    .insertInto('office_files')
    .values({ id, place: toStored(place), opened_at: now })
    .execute()
}

/** Deletes expired tokens, and files that were last opened before a time. */
export async function deleteExpired(db: Db, now: number, openedBefore: number): Promise<void> {
  await db.deleteFrom('office_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('office_files').where('opened_at', '<', openedBefore).execute()
}

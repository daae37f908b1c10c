import { type SqlBool, sql } from 'kysely'
import type { FilePath } from '../../../shared/path.ts'
import { isAtOrBelow, isOneOf } from '../../db/path-columns.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'

const IDS_AT_ONCE = 500
/** The place of a file that is being moved. */
const NOWHERE = ''

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
  /** Whether the editor has used it before. */
  isUsed: boolean
}

/** The token of a hash, unless it has expired. */
export async function findToken(db: Db, hash: string): Promise<FoundToken | undefined> {
  const row = await db
    .selectFrom('office_tokens')
    .innerJoin('office_files', 'office_files.id', 'office_tokens.file_id')
    .selectAll('office_tokens')
    .select('office_files.place')
    .where('hash', '=', hash)
    .where('office_files.place', '!=', NOWHERE)
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
    isUsed: row.used_at !== null,
  }
}

export async function noteUse(db: Db, hash: string, now: number): Promise<void> {
  await db.updateTable('office_tokens').set({ used_at: now }).where('hash', '=', hash).execute()
}

/** Whether there are tokens that expire until a time, and none of them was used. */
export async function areUnused(db: Db, until: number): Promise<boolean> {
  const { count } = db.fn
  const row = await db
    .selectFrom('office_tokens')
    .select([count<number>('hash').as('all'), count<number>('used_at').as('used')])
    .where('expires_at', '<=', until)
    .executeTakeFirstOrThrow()
  return Number(row.all) > 0 && Number(row.used) === 0
}

export async function insertToken(db: Db, token: StoredToken): Promise<void> {
  const { hash, fileId, userId, bearer, mayWrite, expiresAt } = token
  const row = {
    hash,
    file_id: fileId,
    user_id: userId,
    bearer,
    may_write: mayWrite ? 1 : 0,
    expires_at: expiresAt,
    used_at: null,
  }
  await db.insertInto('office_tokens').values(row).execute()
}

/** The id of the file at a place, if an editor has opened it; it is noted as opened now. */
export async function openFileAt(db: Db, place: FilePath, now: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('office_files')
    .select('id')
    .where(isOneOf(db, 'place', [place]))
    // A file that was moved over another one has the ids of both.
    .orderBy('opened_at', 'desc')
    .orderBy('id')
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

/** A file that an editor has opened. */
export interface PlacedFile {
  id: string
  /** In the served root. */
  place: FilePath
}

/** Takes the files at some places, and at all below them, from there; what is there next has other ids. */
export async function takeAway(db: Db, places: readonly FilePath[]): Promise<PlacedFile[]> {
  const within = sql<SqlBool>`(${sql.join(
    places.map(place => isAtOrBelow(db, 'place', place)),
    sql` or `,
  )})`
  const rows = await db.selectFrom('office_files').select(['id', 'place']).where(within).execute()
  const files = rows.map(({ id, place }) => ({ id, place: fromStored(place) as FilePath }))
  await eachPart(files, ids => db.updateTable('office_files').set({ place: NOWHERE }).where('id', 'in', ids).execute())
  return files
}

/** Gives a file that was taken away a place again. */
export async function putAt(db: Db, { id, place }: PlacedFile): Promise<void> {
  const row = db.updateTable('office_files').set({ place: toStored(place) })
  await row.where('id', '=', id).execute()
}

/** Deletes files, with the tokens for them. */
export async function deleteFiles(db: Db, files: readonly Pick<PlacedFile, 'id'>[]): Promise<void> {
  await eachPart(files, ids => db.deleteFrom('office_files').where('id', 'in', ids).execute())
}

async function eachPart(files: readonly { id: string }[], act: (ids: string[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < files.length; at += IDS_AT_ONCE)
    await act(files.slice(at, at + IDS_AT_ONCE).map(({ id }) => id))
}

/** Deletes expired tokens, and files that were last opened before a time. */
export async function deleteExpired(db: Db, now: number, openedBefore: number): Promise<void> {
  await db.deleteFrom('office_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('office_files').where('opened_at', '<', openedBefore).execute()
}

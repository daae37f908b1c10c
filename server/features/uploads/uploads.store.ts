import { fromStored, toStored } from '../../db/paths.ts'
import type { Db, UploadsTable } from '../../db/schema.ts'

export async function insertUpload(db: Db, upload: UploadsTable): Promise<void> {
  await db.insertInto('uploads').values(withPaths(upload, toStored)).execute()
}

export async function findUpload(db: Db, userId: number, path: string): Promise<UploadsTable | undefined> {
  const rows = db.selectFrom('uploads').selectAll()
  const own = rows.where('link', 'is', null).where('user_id', '=', userId)
  const row = await own.where('path', '=', toStored(path)).executeTakeFirst()
  return row && withPaths(row, fromStored)
}

/** A visitor's upload through a link. */
export async function findDelivery(db: Db, link: string, id: string): Promise<UploadsTable | undefined> {
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where('id', '=', id)
    .where('link', '=', link)
    .executeTakeFirst()
  return row && withPaths(row, fromStored)
}

export async function findUploadById(db: Db, id: string): Promise<UploadsTable | undefined> {
  const row = await db.selectFrom('uploads').selectAll().where('id', '=', id).executeTakeFirst()
  return row && withPaths(row, fromStored)
}

/** The unfinished uploads of a user, or of all visitors of a link. */
export async function countUploads(db: Db, of: { userId: number } | { link: string }): Promise<number> {
  const rows = db.selectFrom('uploads').select(({ fn }) => fn.countAll<number>().as('count'))
  const some =
    'link' in of ? rows.where('link', '=', of.link) : rows.where('link', 'is', null).where('user_id', '=', of.userId)
  return Number((await some.executeTakeFirstOrThrow()).count)
}

/** Records how many bytes are durable, and that the upload is alive. */
export async function advanceUpload(db: Db, { id, offset, expires_at }: UploadsTable): Promise<void> {
  await db.updateTable('uploads').set({ offset, expires_at }).where('id', '=', id).execute()
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).execute()
}

export async function findExpiredUploads(db: Db, now: number): Promise<UploadsTable[]> {
  const rows = await db.selectFrom('uploads').selectAll().where('expires_at', '<=', now).limit(100).execute()
  return rows.map(row => withPaths(row, fromStored))
}

/** An upload with its paths in another form. */
function withPaths(upload: UploadsTable, write: (path: string) => string): UploadsTable {
  return { ...upload, scope: write(upload.scope), path: write(upload.path), staged: write(upload.staged) }
}

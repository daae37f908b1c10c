import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'

/** Records that a place may contain unfinished files from now on. */
export async function notePlace(db: Db, place: string, now: number): Promise<void> {
  const row = { place: toStored(place), noted_at: now }
  const { numUpdatedRows } = await db
    .updateTable('staging_places')
    .set(row)
    .where('place', '=', row.place)
    .executeTakeFirst()
  // A concurrent insert of the same place serves both.
  if (numUpdatedRows === 0n)
    await db
      .insertInto('staging_places')
      .values(row)
      .onConflict(known => known.doNothing())
      .execute()
}

/** Places in order, after one of them. */
export async function placesAfter(db: Db, last: string, count: number): Promise<string[]> {
  const rows = db.selectFrom('staging_places').select('place').orderBy('place').limit(count)
  const found = await rows.where('place', '>', toStored(last)).execute()
  return found.map(({ place }) => fromStored(place))
}

/** Deletes a place unless it was recorded again in the meantime. */
export async function forgetPlace(db: Db, place: string, before: number): Promise<void> {
  await db.deleteFrom('staging_places').where('place', '=', toStored(place)).where('noted_at', '<', before).execute()
}

/** Records folders that are about to be created for a file; at least one. */
export async function noteFolders(db: Db, folders: readonly string[], now: number): Promise<void> {
  const rows = folders.map(folder => ({ folder: toStored(folder), noted_at: now }))
  const stored = rows.map(({ folder }) => folder)
  await db.updateTable('made_folders').set({ noted_at: now }).where('folder', 'in', stored).execute()
  await db
    .insertInto('made_folders')
    .values(rows)
    .onConflict(known => known.doNothing())
    .execute()
}

/** Folders recorded before a time, nested ones first. */
export async function foldersNotedBefore(db: Db, time: number): Promise<{ folder: string; noted_at: number }[]> {
  const rows = db
    .selectFrom('made_folders')
    .select(['folder', 'noted_at'])
    .where('noted_at', '<', time)
    .orderBy('folder', 'desc')
  return (await rows.execute()).map(row => ({ ...row, folder: fromStored(row.folder) }))
}

export async function forgetFolders(db: Db, folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return
  await db.deleteFrom('made_folders').where('folder', 'in', folders.map(toStored)).execute()
}

/** The storage names of the unfinished files that uploads and jobs will resume. */
export async function resumableNames(db: Db): Promise<string[]> {
  const uploads = await db.selectFrom('uploads').select('staged').execute()
  const items = await db.selectFrom('job_items').select('journal').where('journal', 'is not', null).execute()
  const noted = items.map(({ journal }) => (JSON.parse(journal ?? '{}') as { staged?: string } | null)?.staged)
  return [...uploads.map(({ staged }) => fromStored(staged)), ...noted.filter(staged => staged !== undefined)]
}

import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'

/** Notes that something unfinished may lie in a place from now on. */
export async function notePlace(db: Db, place: string, now: number): Promise<void> {
  await db
    .insertInto('staging_places')
    .values({ place: toStored(place), noted_at: now })
    .onConflict(conflict => conflict.column('place').doUpdateSet({ noted_at: now }))
    .execute()
}

/** Places, in their order, after one of them. */
export async function placesAfter(db: Db, last: string, count: number): Promise<string[]> {
  const rows = db.selectFrom('staging_places').select('place').orderBy('place').limit(count)
  const found = await rows.where('place', '>', toStored(last)).execute()
  return found.map(({ place }) => fromStored(place))
}

/** Forgets a place unless something was begun there meanwhile. */
export async function forgetPlace(db: Db, place: string, before: number): Promise<void> {
  await db.deleteFrom('staging_places').where('place', '=', toStored(place)).where('noted_at', '<', before).execute()
}

/** How the storage calls what uploads and jobs will come back for. */
export async function awaitedThings(db: Db): Promise<string[]> {
  const uploads = await db.selectFrom('uploads').select('staged').execute()
  const items = await db.selectFrom('job_items').select('journal').where('journal', 'is not', null).execute()
  const noted = items.map(({ journal }) => (JSON.parse(journal ?? '{}') as { staged?: string } | null)?.staged)
  return [...uploads.map(({ staged }) => fromStored(staged)), ...noted.filter(staged => staged !== undefined)]
}

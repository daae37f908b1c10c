import { randomBytes } from 'node:crypto'
import type { LinkEventsTable } from '../../db/links-schema.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'

/** Bytes of randomness in an id. */
const ID_BYTES = 12

export type LinkEvent = Pick<LinkEventsTable, 'at' | 'what' | 'path'>

export async function insertLinkEvent(db: Db, link: string, { at, what, path }: LinkEvent): Promise<void> {
  const id = randomBytes(ID_BYTES).toString('base64url')
  await db
    .insertInto('link_events')
    .values({ id, link, at, what, path: toStored(path) })
    .execute()
}

/** The last events of a link, the newest first. */
export async function listLinkEvents(db: Db, link: string, count: number): Promise<LinkEvent[]> {
  const rows = db.selectFrom('link_events').select(['at', 'what', 'path']).where('link', '=', link)
  const found = await rows.orderBy('at', 'desc').orderBy('id', 'desc').limit(count).execute()
  return found.map(({ at, what, path }) => ({ at: Number(at), what, path: fromStored(path) }))
}

/** Deletes all but the last events of a link. */
export async function forgetLinkEvents(db: Db, link: string, kept: number): Promise<void> {
  const rows = db.selectFrom('link_events').select('id').where('link', '=', link)
  const last = rows.orderBy('at', 'desc').orderBy('id', 'desc').limit(kept)
  await db.deleteFrom('link_events').where('link', '=', link).where('id', 'not in', last).execute()
}

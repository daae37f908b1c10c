import { toStored } from '../../db/paths.ts'
import { removedMark } from '../../db/removed-links.ts'
import type { Db } from '../../db/schema.ts'
import type { Recording } from '../../files/change-records.ts'
import type { LinkRecords } from '../../files/link-records.ts'
import { linkId } from './link-rights.ts'
import type { StoredShare } from './shares.store.ts'

/** The share links that changes name. */
export const linkRecords = (db: Db): LinkRecords => ({
  async find(id, place) {
    const removed = await db
      .selectFrom('shares')
      .select('identity')
      .where('suspended', '=', removedMark(id))
      .executeTakeFirst()
    if (removed) return { identity: removed.identity, isRemoved: true }
    const serving = await servingAt(db, id, toStored(place))
    return serving && { identity: serving.identity, isRemoved: false }
  },
  async bringBack(id) {
    const removed = db.updateTable('shares').set({ suspended: null }).where('suspended', '=', removedMark(id))
    return (await removed.executeTakeFirst()).numUpdatedRows > 0n
  },
  async remove(id, place) {
    const there = await servingAt(db, id, toStored(place))
    if (!there) return false
    const serving = db
      .updateTable('shares')
      .set({ suspended: removedMark(id) })
      .where('hash', '=', there.hash)
    return (await serving.where('suspended', 'is', null).executeTakeFirst()).numUpdatedRows > 0n
  },
})

async function servingAt(db: Db, id: string, place: string) {
  const there = db.selectFrom('shares').select(['hash', 'identity']).where('canonical', '=', place)
  const rows = await there.where('suspended', 'is', null).execute()
  return rows.find(row => linkId(row) === id)
}

/** Notes in the change of a request that its user made or removed a link. */
export function recordLink(
  user: { id: number; username: string; recording?: Recording | undefined },
  link: Pick<StoredShare, 'hash' | 'canonical' | 'kind' | 'identity'>,
  did: 'made' | 'removed',
): void {
  const { recording, id, username } = user
  if (!recording) return
  recording.owner ??= { id, username }
  recording.kind ??= did === 'made' ? 'link' : 'unlink'
  const { canonical: place, kind, identity } = link
  const about = did === 'made' ? { made: identity } : { was: identity }
  recording.add({ kind: 'link', place, isFolder: kind === 'folder', kept: linkId(link), ...about })
}

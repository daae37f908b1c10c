import { removedMark } from '../../db/removed-links.ts'
import type { Db } from '../../db/schema.ts'

/** Removes a link that serves, so that an undo can bring it back. @param id see `linkId` @returns whether it was there */
export async function setRemoved(db: Db, hash: string, id: string): Promise<boolean> {
  const serving = db
    .updateTable('shares')
    .set({ suspended: removedMark(id) })
    .where('hash', '=', hash)
  return (await serving.where('suspended', 'is', null).executeTakeFirst()).numUpdatedRows > 0n
}

/** Gives the name of a removed link to a new one: the removed one does not come back then. */
export async function forgetRemovedNamed(db: Db, slug: string): Promise<void> {
  const removed = db.deleteFrom('shares').where('slug', '=', slug)
  await removed.where('suspended', 'like', `${removedMark('')}%`).execute()
}

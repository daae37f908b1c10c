import { randomBytes } from 'node:crypto'
import type { NewSearch, SavedSearch } from '../../../shared/api/saved-searches.ts'
import { fromStored, toStored } from '../../db/paths.ts'
import type { SavedSearchesTable } from '../../db/saved-searches-schema.ts'
import type { Db } from '../../db/schema.ts'
import { storable } from '../../db/text.ts'
import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'

/** Searches that a user saved, the oldest first. */
export async function listSearches(db: Db, userId: number): Promise<SavedSearch[]> {
  const rows = await db
    .selectFrom('saved_searches')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toSearch)
}

/** @throws AppError `exists` if the user has saved too many */
export async function saveSearch(db: Db, userId: number, search: NewSearch): Promise<SavedSearch> {
  const { count } = await db
    .selectFrom('saved_searches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const most = LIMITS.savedSearches
  if (Number(count) >= most) throw new AppError('exists', `there are ${most} saved searches already`)
  const row = {
    id: randomBytes(8).toString('hex'),
    user_id: userId,
    name: search.name,
    query: search.query,
    folder: toStored(search.folder),
    everywhere: Number(search.everywhere),
    in_contents: Number(search.inContents),
    created_at: Date.now(),
  }
  await db.insertInto('saved_searches').values(row).execute()
  return toSearch(row)
}

/** @throws AppError `not_found`, also for a search of another user */
export async function renameSearch(db: Db, userId: number, id: string, name: string): Promise<SavedSearch> {
  const row =
    storable(id) === id
      ? await db
          .updateTable('saved_searches')
          .set({ name })
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returningAll()
          .executeTakeFirst()
      : undefined
  if (!row) throw new AppError('not_found')
  return toSearch(row)
}

/** @throws AppError `not_found`, also for a search of another user */
export async function removeSearch(db: Db, userId: number, id: string): Promise<void> {
  const row =
    storable(id) === id
      ? await db
          .deleteFrom('saved_searches')
          .where('id', '=', id)
          .where('user_id', '=', userId)
          .returning('id')
          .executeTakeFirst()
      : undefined
  if (!row) throw new AppError('not_found')
}

function toSearch(row: SavedSearchesTable): SavedSearch {
  const { id, name, query, folder, everywhere, in_contents } = row
  return { id, name, query, folder: fromStored(folder), everywhere: everywhere === 1, inContents: in_contents === 1 }
}

import type { Tag } from '../../shared/api/tags.ts'
import type { FilePath } from '../../shared/path.ts'
import { isChildOf } from '../db/path-columns.ts'
import type { Db } from '../db/schema.ts'
import type { TagsTable } from '../db/tags-schema.ts'
import { AppError } from '../errors.ts'
import type { MarkedObject } from '../files/marked-object.ts'
import type { TagSetting, TagText } from '../files/tag-records.ts'
import { LIMITS } from '../limits.ts'
import { COLUMNS, toMarked } from './marks.store.ts'
import { ulid } from './ulid.ts'

const keyOf = (name: string): string => name.normalize('NFC').toLowerCase()

const toTag = ({ id, user_id, name, colour }: TagsTable): Tag => ({ id, name, colour, shared: user_id === null })

/** See `TagRecords.tags`. */
export async function listTags(db: Db, userId: number): Promise<Tag[]> {
  const rows = await db
    .selectFrom('tags')
    .selectAll()
    .where(({ or, eb }) => or([eb('user_id', '=', userId), eb('user_id', 'is', null)]))
    .orderBy('name_key')
    .orderBy('id')
    .execute()
  return rows.map(toTag)
}

/** See `TagRecords.addTag`. */
export async function addTag(db: Db, userId: number | undefined, { name, colour }: TagText): Promise<Tag> {
  const owner = userId ?? null
  const row = { id: ulid(), user_id: owner, name, name_key: keyOf(name), colour }
  const { count } = await db
    .selectFrom('tags')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', 'is not distinct from', owner)
    .executeTakeFirstOrThrow()
  if (Number(count) >= LIMITS.tags) throw new AppError('exists', `there are ${LIMITS.tags} tags already`)
  const added = await db
    .insertInto('tags')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw new AppError('exists', 'there is a tag with this name')
  return toTag(row)
}

/** See `TagRecords.changeTag`. */
export async function changeTag(db: Db, id: string, { name, colour }: TagText): Promise<void> {
  const key = keyOf(name)
  const changed = await db
    .updateTable('tags')
    .set({ name, name_key: key, colour })
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tags as other')
            .select('other.id')
            .where('other.name_key', '=', key)
            .where('other.id', '!=', id)
            .whereRef('other.user_id', 'is not distinct from', 'tags.user_id'),
        ),
      ),
    )
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) throw new AppError('exists', 'there is a tag with this name')
}

export async function removeTag(db: Db, id: string): Promise<void> {
  await db.deleteFrom('tags').where('id', '=', id).execute()
}

/** See `TagRecords.setTags`. */
export async function setTags(
  db: Db,
  { userId, object, add, remove }: TagSetting & { userId: number; object: string },
): Promise<string[]> {
  return db.transaction().execute(async transaction => {
    if (remove.length > 0)
      await transaction.deleteFrom('object_tags').where('object', '=', object).where('tag', 'in', remove).execute()
    const rows = add.map(tag => ({ object, tag, at: Date.now(), by_user: userId }))
    if (rows.length > 0) {
      const insert = transaction.insertInto('object_tags').values(rows)
      await insert.onConflict(conflict => conflict.doNothing()).execute()
    }
    const tags = await seenTags(transaction, userId).where('object', '=', object).select('tag').execute()
    if (rows.length > 0 && tags.length > LIMITS.itemTags)
      throw new AppError('exists', `an item has at most ${LIMITS.itemTags} tags`)
    return tags.map(({ tag }) => tag)
  })
}

/** See `TagRecords.tagsIn`. */
export async function tagsIn(db: Db, userId: number, folder: FilePath): Promise<(MarkedObject & { tags: string[] })[]> {
  const rows = await seenTags(db, userId)
    .innerJoin('objects', 'objects.id', 'object_tags.object')
    .select([...COLUMNS, 'tag'])
    .where(isChildOf(db, 'place', folder))
    .execute()
  return [...Map.groupBy(rows, row => row.id).values()].map(([first, ...more]) => ({
    ...toMarked(first as (typeof rows)[number]),
    tags: [first, ...more].flatMap(row => (row ? [row.tag] : [])),
  }))
}

/** See `TagRecords.objectsWith`. */
export async function objectsWithTag(db: Db, tag: string, before?: string): Promise<MarkedObject[]> {
  const rows = await db
    .selectFrom('object_tags')
    .innerJoin('objects', 'objects.id', 'object_tags.object')
    .select(COLUMNS)
    .where('tag', '=', tag)
    .$if(before !== undefined, query => query.where('object', '<', before ?? ''))
    .orderBy('object', 'desc')
    .limit(LIMITS.taggedPage)
    .execute()
  return rows.map(toMarked)
}

/** The tags on objects that a user sees. */
const seenTags = (db: Db, userId: number) =>
  db
    .selectFrom('object_tags')
    .innerJoin('tags', 'tags.id', 'object_tags.tag')
    .where(({ or, eb }) => or([eb('tags.user_id', '=', userId), eb('tags.user_id', 'is', null)]))
    .orderBy('name_key')
    .orderBy('tag')

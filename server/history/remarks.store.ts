import { sql } from 'kysely'
import { type FilePath, ROOT } from '../../shared/path.ts'
import { isAtOrBelow } from '../db/path-columns.ts'
import type { CommentsTable } from '../db/remarks-schema.ts'
import type { Db } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { MarkedObject } from '../files/marked-object.ts'
import type {
  Author,
  CommentRecord,
  NoteRecord,
  PlacedComment,
  RemarkCounts,
  RemarkRecords,
} from '../files/remark-records.ts'
import { LIMITS } from '../limits.ts'
import { COLUMNS, toMarked } from './marks.store.ts'
import { ulid } from './ulid.ts'

/** The records of notes and comments in the database. */
export function remarkRecords(db: Db): RemarkRecords {
  return {
    note: object => noteOf(db, object),
    setNote: (object, author, text) => setNote(db, object, author, text),
    comments: object => commentsOn(db, object),
    comment: async id => (await placedComments(db, 1, query => query.where('comments.id', '=', id)))[0],
    commentsOf: (userId, most) => placedComments(db, most, query => query.where('comments.user_id', '=', userId)),
    addComment: (object, author, text) => addComment(db, object, author, text),
    async changeComment(id, text) {
      await db.updateTable('comments').set({ text, edited_at: Date.now() }).where('id', '=', id).execute()
    },
    async removeComment(id) {
      await db.deleteFrom('comments').where('id', '=', id).execute()
    },
    remarksIn: folder => remarksIn(db, folder),
  }
}

/** Gives the note and the comments of an object to another one, which keeps its own note. */
export async function moveRemarks(db: Db, from: string, to: string): Promise<void> {
  await db.updateTable('comments').set({ object: to }).where('object', '=', from).execute()
  const taken = db.selectFrom('notes').select('object').where('object', '=', to)
  await db
    .updateTable('notes')
    .set({ object: to })
    .where('object', '=', from)
    .where(({ not, exists }) => not(exists(taken)))
    .execute()
  await db.deleteFrom('notes').where('object', '=', from).execute()
}

async function noteOf(db: Db, object: string): Promise<NoteRecord | undefined> {
  const row = await db.selectFrom('notes').selectAll().where('object', '=', object).executeTakeFirst()
  return row && { text: row.text, username: row.username, at: Number(row.at) }
}

async function setNote(db: Db, object: string, { username }: Author, text: string): Promise<void> {
  if (text === '') {
    await db.deleteFrom('notes').where('object', '=', object).execute()
    return
  }
  const now = { text, username, at: Date.now() }
  const insert = db.insertInto('notes').values({ object, ...now })
  await insert.onConflict(conflict => conflict.column('object').doUpdateSet(now)).execute()
}

const toComment = (row: CommentsTable): CommentRecord => ({
  ...{ id: row.id, object: row.object, userId: row.user_id, username: row.username, text: row.text },
  ...{ at: Number(row.at), editedAt: row.edited_at === null ? null : Number(row.edited_at) },
})

async function commentsOn(db: Db, object: string): Promise<CommentRecord[]> {
  const rows = await db.selectFrom('comments').selectAll().where('object', '=', object).orderBy('id').execute()
  return rows.map(toComment)
}

/** Comments with their objects, the latest first. */
async function placedComments(db: Db, most: number, narrow: (query: Joined) => Joined): Promise<PlacedComment[]> {
  const rows = await narrow(joined(db)).orderBy('comments.id', 'desc').limit(most).execute()
  return rows.map(row => ({
    ...toComment({ ...row, id: row.comment }),
    on: toMarked(row),
  }))
}

const joined = (db: Db) =>
  db
    .selectFrom('comments')
    .innerJoin('objects', 'objects.id', 'comments.object')
    .select([...COLUMNS, 'comments.id as comment', 'object', 'user_id', 'username', 'text', 'at', 'edited_at'])

type Joined = ReturnType<typeof joined>

async function addComment(db: Db, object: string, author: Author, text: string): Promise<CommentRecord> {
  const { count } = await db
    .selectFrom('comments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('object', '=', object)
    .executeTakeFirstOrThrow()
  if (Number(count) >= LIMITS.itemComments)
    throw new AppError('exists', `an item has at most ${LIMITS.itemComments} comments`)
  const { id, username } = author
  const row = { id: ulid(), object, user_id: id, username, text, at: Date.now(), edited_at: null }
  await db.insertInto('comments').values(row).execute()
  return toComment(row)
}

async function remarksIn(db: Db, folder: FilePath): Promise<(MarkedObject & RemarkCounts)[]> {
  const slashes = folder === ROOT ? 1 : folder.split('/').length
  const rows = await db
    .selectFrom('objects')
    .select(COLUMNS)
    .select(({ selectFrom }) => [
      selectFrom('notes').select('notes.at').whereRef('notes.object', '=', 'objects.id').as('note'),
      selectFrom('comments')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('comments.object', '=', 'objects.id')
        .as('comments'),
    ])
    .where(isAtOrBelow(db, 'place', folder))
    .where(sql<number>`length(place) - length(replace(place, '/', ''))`, '=', slashes)
    .execute()
  return rows
    .map(row => ({ ...toMarked(row), hasNote: row.note !== null, comments: Number(row.comments) }))
    .filter(({ hasNote, comments }) => hasNote || comments > 0)
}

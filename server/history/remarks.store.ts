import type { FilePath } from '../../shared/path.ts'
import { isChildOf } from '../db/path-columns.ts'
import type { CommentsTable } from '../db/remarks-schema.ts'
import type { Db } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { MarkedObject } from '../files/marked-object.ts'
import type {
  Author,
  CommentRecord,
  NoteRecord,
  NotesPage,
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
    notesWith: (texts, after) => notesWith(db, texts, after),
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

/** In lower case as JavaScript has it: SQLite and PostgreSQL know other letters. */
async function notesWith(db: Db, texts: readonly string[], after: string): Promise<NotesPage> {
  const rows = await db
    .selectFrom('notes')
    .innerJoin('objects', 'objects.id', 'notes.object')
    .select([...COLUMNS, 'text'])
    .where('object', '>', after)
    .orderBy('object')
    .limit(LIMITS.notesPage)
    .execute()
  const objects = rows.filter(({ text }) => texts.every(wanted => text.toLowerCase().includes(wanted))).map(toMarked)
  const last = rows.length < LIMITS.notesPage ? undefined : rows.at(-1)
  return { objects, ...(last && { next: last.id }) }
}

async function remarksIn(db: Db, folder: FilePath): Promise<(MarkedObject & RemarkCounts)[]> {
  const [noted, commented] = [await objectsOf(db, 'notes', folder), await objectsOf(db, 'comments', folder)]
  const all = new Map([...noted, ...commented].map(object => [object.id, object]))
  const [notes, comments] = [noted, commented].map(rows => Map.groupBy(rows, ({ id }) => id))
  return [...all.values()].map(object => ({
    ...object,
    hasNote: notes?.has(object.id) ?? false,
    comments: comments?.get(object.id)?.length ?? 0,
  }))
}

/** The objects directly in a folder, once for each of their rows in a table. */
async function objectsOf(db: Db, table: 'notes' | 'comments', folder: FilePath): Promise<MarkedObject[]> {
  const rows = await db
    .selectFrom(table)
    .innerJoin('objects', 'objects.id', `${table}.object`)
    .select(COLUMNS)
    .where(isChildOf(db, 'place', folder))
    .execute()
  return rows.map(toMarked)
}

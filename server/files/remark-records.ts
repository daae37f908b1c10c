import type { FilePath } from '../../shared/path.ts'
import type { MarkedObject } from './marked-object.ts'

/** The note of an object. Times here are milliseconds since the epoch. */
export interface NoteRecord {
  text: string
  username: string
  at: number
}

export interface CommentRecord {
  id: string
  object: string
  /** Null once the user is deleted. */
  userId: number | null
  username: string
  text: string
  at: number
  editedAt: number | null
}

/** A comment, and the object that it is on. */
export type PlacedComment = CommentRecord & { on: MarkedObject }

/** Who writes. */
export interface Author {
  id: number
  username: string
}

/** What an object has. */
export interface RemarkCounts {
  hasNote: boolean
  comments: number
}

/** Objects with matching notes, and from where the next page starts; nothing after the last. */
export interface NotesPage {
  objects: MarkedObject[]
  next?: string
}

/** The records of notes and comments; see `server/history`. */
export interface RemarkRecords {
  note(object: string): Promise<NoteRecord | undefined>
  /** Sets the note of an object, which must exist; removes it for an empty text. */
  setNote(object: string, author: Author, text: string): Promise<void>
  /** The comments on an object, the oldest first. */
  comments(object: string): Promise<CommentRecord[]>
  comment(id: string): Promise<PlacedComment | undefined>
  /** The comments of a user, the latest first, at most so many. */
  commentsOf(userId: number, most: number): Promise<PlacedComment[]>
  /** @throws AppError `exists` when there are too many on the object, which must exist */
  addComment(object: string, author: Author, text: string): Promise<CommentRecord>
  changeComment(id: string, text: string): Promise<void>
  removeComment(id: string): Promise<void>
  /** A page of the notes that have all texts, which are in lower case, after the object `after`. */
  notesWith(texts: readonly string[], after: string): Promise<NotesPage>
  /** The objects directly in a folder with a note or comments. */
  remarksIn(folder: FilePath): Promise<(MarkedObject & RemarkCounts)[]>
}

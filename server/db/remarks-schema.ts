/** Tables of notes and comments; see `Schema`. */
export interface RemarkTables {
  notes: NotesTable
  comments: CommentsTable
}

export interface NotesTable {
  object: string
  text: string
  /** The name, at that time, of the user who wrote it last. */
  username: string
  at: number
}

export interface CommentsTable {
  /** A ULID, in lower case. */
  id: string
  object: string
  /** Null once the user is deleted. */
  user_id: number | null
  /** The name of the user at that time. */
  username: string
  text: string
  at: number
  edited_at: number | null
}

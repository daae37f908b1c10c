import * as z from 'zod/mini'
import { byteLength } from '../bytes.ts'
import { Time } from './time.ts'

/** Maximum bytes of a note, in UTF-8. */
export const MAX_NOTE = 4096
/** Maximum bytes of a comment, in UTF-8. */
export const MAX_COMMENT = 8192

const isAtMost = (bytes: number) => (text: string) => byteLength(text) <= bytes

/** Response of `GET /api/notes/{path}`: empty, with a text of no characters, for an item without a note. */
export const Note = z.object({
  text: z.string(),
  /** The user who wrote it last. */
  username: z.exactOptional(z.string()),
  time: z.exactOptional(Time),
})
export type Note = z.infer<typeof Note>

/** Body of `PUT /api/notes/{path}`; an empty text removes the note. */
export const NoteText = z.object({
  text: z.string().check(z.maxLength(MAX_NOTE), z.refine(isAtMost(MAX_NOTE), `At most ${MAX_NOTE} bytes`)),
})
export type NoteText = z.infer<typeof NoteText>

export const Comment = z.object({
  id: z.string(),
  username: z.string(),
  text: z.string(),
  time: Time,
  /** When its user changed it last. */
  edited: z.exactOptional(Time),
  /** Whether the caller wrote it, and may change it. */
  own: z.boolean(),
})
export type Comment = z.infer<typeof Comment>

/** Response of `GET /api/comments/{path}`: the oldest first. */
export const CommentList = z.object({ items: z.array(Comment) })
export type CommentList = z.infer<typeof CommentList>

/** Body of `POST /api/comments/{path}` and of `PATCH /api/comment/{id}`. */
export const CommentText = z.object({
  text: z
    .string()
    .check(
      z.trim(),
      z.minLength(1),
      z.maxLength(MAX_COMMENT),
      z.refine(isAtMost(MAX_COMMENT), `At most ${MAX_COMMENT} bytes`),
    ),
})
export type CommentText = z.infer<typeof CommentText>

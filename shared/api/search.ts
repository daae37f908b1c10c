import * as z from 'zod/mini'
import { Time } from './time.ts'

/** A match in a text. */
export const TextMatch = z.object({
  /** Counted from 1. */
  line: z.number(),
  /** The line, or an excerpt around the match. */
  text: z.string(),
})
export type TextMatch = z.infer<typeof TextMatch>

/** A hit; the response of `GET /api/search/{folder}?query=…` is an array of them, or one per line (http-api 9). */
export const SearchHit = z.object({
  /** Relative to the searched folder, without a leading slash. */
  path: z.string(),
  dir: z.boolean(),
  /** The first match, in a content search. */
  match: z.optional(TextMatch),
  /** Bytes; for a file, if details are requested. */
  size: z.optional(z.number()),
  /** RFC 3339, if details are requested. */
  modified: z.optional(Time),
})
export type SearchHit = z.infer<typeof SearchHit>

/**
 * Coverage of a content search: everything; `building` while files are still to be read, and `limited` if there is more
 * text than the index may hold.
 */
export const CONTENT_STATES = ['building', 'limited', 'complete'] as const
export type ContentState = (typeof CONTENT_STATES)[number]

/** Header with the coverage. */
export const CONTENT_STATE_HEADER = 'X-Content-Index'

/** The last line of a response in lines, if folders could not be read: their content is missing. */
export const UnreadFolders = z.object({ unread: z.int().check(z.positive()) })
export type UnreadFolders = z.infer<typeof UnreadFolders>

/** Media type of results for clients that name none (docs/design/search.md). */
export const SEARCH_ANSWERS = ['array', 'lines', 'auto'] as const
export type SearchAnswers = (typeof SEARCH_ANSWERS)[number]

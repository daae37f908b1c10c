import * as z from 'zod/mini'

/** Where in a text something was found. */
export const TextMatch = z.object({
  /** Counted from 1. */
  line: z.number(),
  /** The line, or what of it is around that place. */
  text: z.string(),
})
export type TextMatch = z.infer<typeof TextMatch>

/** One thing found; the answer to `GET /api/search/{folder}?query=…` is an array of them, or one a line (http-api 9). */
export const SearchHit = z.object({
  /** Relative to the folder that was searched, without a leading slash. */
  path: z.string(),
  dir: z.boolean(),
  /** The first one, for a search in contents. */
  match: z.optional(TextMatch),
})
export type SearchHit = z.infer<typeof SearchHit>

/**
 * How much of the contents a search in them has seen: all of it; `building` while files are still to be read, and
 * `limited` where there is more text than the index may hold.
 */
export const CONTENT_STATES = ['building', 'limited', 'complete'] as const
export type ContentState = (typeof CONTENT_STATES)[number]

/** Header that tells it. */
export const CONTENT_STATE_HEADER = 'X-Content-Index'

/** The last line of an answer in lines, if folders could not be read: what is in them is missing. */
export const UnreadFolders = z.object({ unread: z.int().check(z.positive()) })
export type UnreadFolders = z.infer<typeof UnreadFolders>

/** Form of results for clients that name none (docs/design/search.md). */
export const SEARCH_ANSWERS = ['array', 'lines', 'auto'] as const
export type SearchAnswers = (typeof SEARCH_ANSWERS)[number]

import * as z from 'zod/mini'

/** Longest search text, in characters. */
export const MAX_QUERY_LENGTH = 1024
/** Words and type filters of one search text at most. */
export const MAX_QUERY_TERMS = 64

/** One thing found; the answer to `GET /api/search/{folder}?query=…` is an array of them, or one a line (contract 9). */
export const SearchHit = z.object({
  /** Relative to the folder that was searched, without a leading slash. */
  path: z.string(),
  dir: z.boolean(),
})
export type SearchHit = z.infer<typeof SearchHit>

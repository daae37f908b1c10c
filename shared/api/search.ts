import * as z from 'zod/mini'

/** One thing found; the answer to `GET /api/search/{folder}?query=…` is an array of them, or one a line (contract 9). */
export const SearchHit = z.object({
  /** Relative to the folder that was searched, without a leading slash. */
  path: z.string(),
  dir: z.boolean(),
})
export type SearchHit = z.infer<typeof SearchHit>

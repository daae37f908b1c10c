import * as z from 'zod/mini'
import { MAX_JOB_ITEMS } from './jobs.ts'

/** Body of `POST /api/conflicts`: what is to be copied or moved, as in `POST /api/jobs`. */
export const ConflictsRequest = z.object({
  items: z.array(z.object({ from: z.string(), to: z.string() })).check(z.minLength(1), z.maxLength(MAX_JOB_ITEMS)),
})
export type ConflictsRequest = z.infer<typeof ConflictsRequest>

/** One side of a conflict. */
const Version = z.object({
  isDir: z.boolean(),
  /** A link to a folder is a thing of its own: nothing is merged with what it leads to. */
  isSymlink: z.boolean(),
  /** Bytes. */
  size: z.number(),
  /** RFC 3339. */
  modified: z.string(),
})

/** Something on its way, and what stands where it would go. */
export const FoundConflict = z.object({
  /** Index of the item that it belongs to. */
  item: z.int(),
  /** The path that it would have; that of the item itself, or one below it. */
  to: z.string(),
  ours: Version,
  theirs: Version,
})
export type FoundConflict = z.infer<typeof FoundConflict>

/** Answer to `POST /api/conflicts`: each folder comes before what is in it. */
export const ConflictsAnswer = z.object({
  conflicts: z.array(FoundConflict),
  /** How many further files were found. */
  more: z.int(),
})
export type ConflictsAnswer = z.infer<typeof ConflictsAnswer>

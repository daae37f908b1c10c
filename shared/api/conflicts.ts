import * as z from 'zod/mini'
import { MAX_JOB_ITEMS } from './jobs.ts'
import { Time } from './time.ts'

/** Body of `POST /api/conflicts`: the items to be copied or moved, as in `POST /api/jobs`. */
export const ConflictsRequest = z.object({
  items: z.array(z.object({ from: z.string(), to: z.string() })).check(z.minLength(1), z.maxLength(MAX_JOB_ITEMS)),
})
export type ConflictsRequest = z.infer<typeof ConflictsRequest>

/** One side of a conflict. */
const Version = z.object({
  isDir: z.boolean(),
  /** A link to a folder counts as an item of its own: its target is not merged into. */
  isSymlink: z.boolean(),
  /** Bytes. */
  size: z.number(),
  /** RFC 3339. */
  modified: Time,
})

/** An item, and what exists at its destination. */
export const FoundConflict = z.object({
  /** Index of the item. */
  item: z.int(),
  /** The destination path, of the item itself or of something below it. */
  to: z.string(),
  ours: Version,
  theirs: Version,
})
export type FoundConflict = z.infer<typeof FoundConflict>

/** Response of `POST /api/conflicts`: each folder comes before its content. */
export const ConflictsAnswer = z.object({
  conflicts: z.array(FoundConflict),
  /** Number of further conflicting files. */
  more: z.int(),
})
export type ConflictsAnswer = z.infer<typeof ConflictsAnswer>

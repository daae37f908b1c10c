import * as z from 'zod/mini'
import { MAX_JOB_ITEMS } from './jobs.ts'

/** Body of `POST /api/rename/facts`. Paths are absolute in the caller's scope, not encoded. */
export const RenameFactsRequest = z.object({
  paths: z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_JOB_ITEMS)),
})
export type RenameFactsRequest = z.infer<typeof RenameFactsRequest>

/** A line of the response: what a photo says about itself. */
export const RenameFacts = z.object({
  path: z.string(),
  /** By the camera's clock, whose time zone is unknown: `2024-05-01T12:34:56`. */
  taken: z.exactOptional(z.string()),
  camera: z.exactOptional(z.string()),
})
export type RenameFacts = z.infer<typeof RenameFacts>

import * as z from 'zod/mini'
import { Time } from './time.ts'

/** Pictures that stand for a folder, at most. */
export const COVER_PICTURES = 4

/** Response of `GET /api/covers/{folder}`: the newest pictures in the folder, or its cover alone (http-api 6). */
export const FolderCover = z.object({
  items: z.array(z.object({ name: z.string(), modified: Time })),
})
export type FolderCover = z.infer<typeof FolderCover>

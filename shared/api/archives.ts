import * as z from 'zod/mini'
import { ResourceItem } from './resources.ts'

/** One thing in an archive; `path` is its place there, and `modified` that of the archive where it tells none. */
export const ArchiveItem = z.extend(ResourceItem, {
  /** Its content needs a password, and cannot be had. */
  encrypted: z.boolean(),
})
export type ArchiveItem = z.infer<typeof ArchiveItem>

/** Answer to `GET /api/archives/list/{file}`: one folder of an archive, by name, folders first. */
export const ArchiveFolder = z.object({
  /** Its place in the archive. */
  path: z.string(),
  items: z.array(ArchiveItem),
  /** How many things of the whole archive are left out, because their names lead out of any folder. */
  unnamed: z.int(),
  /** Whether the archive holds, or may hold, more than is listed: it is damaged, or very large. */
  more: z.boolean(),
})
export type ArchiveFolder = z.infer<typeof ArchiveFolder>

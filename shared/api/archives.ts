import * as z from 'zod/mini'
import { ResourceItem } from './resources.ts'

/** An entry of an archive; `path` is its path there, and `modified` the archive's own if the entry has none. */
export const ArchiveItem = z.extend(ResourceItem, {
  /** Its content is encrypted and cannot be read. */
  encrypted: z.boolean(),
})
export type ArchiveItem = z.infer<typeof ArchiveItem>

/** Response of `GET /api/archives/list/{file}`: one folder of an archive, by name, folders first. */
export const ArchiveFolder = z.object({
  /** Its path in the archive. */
  path: z.string(),
  items: z.array(ArchiveItem),
  /** Number of entries of the whole archive that are omitted, because their names lead out of it. */
  unnamed: z.int(),
  /** Whether the archive has, or may have, more entries than are listed: it is corrupt, or very large. */
  more: z.boolean(),
})
export type ArchiveFolder = z.infer<typeof ArchiveFolder>

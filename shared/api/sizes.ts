import * as z from 'zod/mini'

/** Maximum number of a folder's items that are listed. */
export const SIZES_NAMED = 200
/** Maximum number of a folder's subfolders whose sizes a listing shows. */
export const FOLDERS_SIZED = 5000

const Sizes = z.object({
  /** Of the files. */
  bytes: z.number(),
  /** Allocated bytes of the files; a file with several hard links counts once. */
  disk: z.number(),
  files: z.number(),
  folders: z.number(),
})

/** An item of a folder, with its content. */
export const SizedItem = z.extend(Sizes, { name: z.string(), isDir: z.boolean() })
export type SizedItem = z.infer<typeof SizedItem>

/** Response of `GET /api/sizes/{folder}`: the totals of the folder, symbolic links not followed. */
export const SizesAnswer = z.extend(Sizes, {
  /** `none`: folder sizes are not recorded. `partial`: the scan is incomplete, and the sizes may grow. */
  state: z.enum(['none', 'partial', 'known']),
  /** Folders that could not be read. */
  unread: z.number(),
  /** Number of items in the folder itself. */
  count: z.number(),
  /** The largest of them, the largest first. */
  items: z.array(SizedItem),
})
export type SizesAnswer = z.infer<typeof SizesAnswer>

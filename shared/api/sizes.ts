import * as z from 'zod/mini'

/** Things of a folder that are told by name. */
export const SIZES_NAMED = 200

const Sizes = z.object({
  /** Of the files. */
  bytes: z.number(),
  /** Bytes that the files take on the disk; one with several names counts once. */
  disk: z.number(),
  files: z.number(),
  folders: z.number(),
})

/** A thing in a folder, with all that is in it. */
export const SizedItem = z.extend(Sizes, { name: z.string(), isDir: z.boolean() })
export type SizedItem = z.infer<typeof SizedItem>

/** Answer to `GET /api/sizes/{folder}`: what the folder holds, links not followed. */
export const SizesAnswer = z.extend(Sizes, {
  /** `none`: no sizes are kept. `partial`: not everything was looked at yet, and they may grow. */
  state: z.enum(['none', 'partial', 'known']),
  /** Folders that could not be read. */
  unread: z.number(),
  /** Things in the folder itself. */
  count: z.number(),
  /** The largest of them, the largest first. */
  items: z.array(SizedItem),
})
export type SizesAnswer = z.infer<typeof SizesAnswer>

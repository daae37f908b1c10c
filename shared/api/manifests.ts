import * as z from 'zod/mini'

/** A file that a manifest names, compared with its checksum there. */
export const VerifiedFile = z.object({
  /** Relative to the folder of the manifest; empty for `noLine`. */
  name: z.string(),
  /** `missing`: not there, or not for the caller; `unread`: it could not be read; `noLine`: a line that is none. */
  state: z.enum(['same', 'different', 'missing', 'unread', 'noLine']),
})
export type VerifiedFile = z.infer<typeof VerifiedFile>

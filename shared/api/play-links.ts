import * as z from 'zod/mini'
import { Time } from './time.ts'

/** Body of `POST /api/play-links`. */
export const PlayLinkRequest = z.object({
  /** A video or audio file, or a folder of them, in the caller’s scope. */
  path: z.string(),
})
export type PlayLinkRequest = z.infer<typeof PlayLinkRequest>

/** Response of `POST /api/play-links`. Each address has a ticket: who has it can read the file until it ends. */
export const PlayLink = z.object({
  /** The content of the file; of a folder its playlist. */
  url: z.string(),
  /** A playlist (m3u8) of the file, or of the files of the folder. */
  playlist: z.string(),
  /** RFC 3339: they end then, or with the session. */
  expires: Time,
})
export type PlayLink = z.infer<typeof PlayLink>

import * as z from 'zod/mini'
import { FileResource, FolderResource } from './resources.ts'

/** Units of a link's life, in seconds; whatever else is said means hours (http-api 10.1). */
export const SHARE_UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const

/** Longest life of a link, in whatever unit. */
export const MAX_SHARE_DURATION = 2_147_483_647

/** Whether a text is a number of units that a link may last; zero is for ever. */
export function isShareCount(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_SHARE_DURATION
}

/** A link as the wire tells its owner of it (http-api 10.1). */
export const ShareLink = z.object({
  hash: z.string(),
  /** As it was shared: absolute in the owner's scope, with a slash at the end where one was sent. */
  path: z.string(),
  userID: z.int(),
  /** Seconds since the epoch; 0 for ever. */
  expire: z.int(),
  hasPassword: z.boolean(),
  /** The owner's name; told to administrators only. */
  username: z.exactOptional(z.string()),
})
export type ShareLink = z.infer<typeof ShareLink>

/** Body of `POST /api/share/{path}`; may be missing, then the query counts. */
export const ShareRequest = z.nullable(
  z.object({
    password: z.nullish(z.string()),
    /** A whole number; empty, missing or 0 is for ever. */
    expires: z.nullish(z.union([z.string().check(z.maxLength(64)), z.number()])),
    unit: z.nullish(z.string().check(z.maxLength(64))),
  }),
)
export type ShareRequest = z.infer<typeof ShareRequest>

/** Lets downloads from a link with a password through, for an hour. */
const ticket = { token: z.exactOptional(z.string()) }

/** Answer to `GET /api/public/share/{hash}/{path}`: paths are relative to what is shared, `''` for a shared file. */
export const SharedResource = z.union([z.extend(FolderResource, ticket), z.extend(FileResource, ticket)])
export type SharedResource = z.infer<typeof SharedResource>

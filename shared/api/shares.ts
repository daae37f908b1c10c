import * as z from 'zod/mini'
import { FileResource, FolderResource } from './resources.ts'

/** Units of a share link's lifetime, in seconds; any other unit means hours (http-api 10.1). */
export const SHARE_UNITS = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const

/** Longest lifetime of a share link. */
export const MAX_SHARE_DURATION = 2_147_483_647

/** Whether a text is a valid number of units; zero means that the link never expires. */
export function isShareCount(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) <= MAX_SHARE_DURATION
}

/** A share link as its owner sees it on the wire (http-api 10.1). */
export const ShareLink = z.object({
  hash: z.string(),
  /** As requested: absolute in the owner's scope, with a trailing slash where one was sent. */
  path: z.string(),
  userID: z.int(),
  /** Seconds since the epoch; 0 for never. */
  expire: z.int(),
  hasPassword: z.boolean(),
  /** The owner's name; for administrators only. */
  username: z.exactOptional(z.string()),
})
export type ShareLink = z.infer<typeof ShareLink>

/** Body of `POST /api/share/{path}`; if absent, the query counts. */
export const ShareRequest = z.nullable(
  z.object({
    password: z.nullish(z.string()),
    /** An integer; empty, missing or 0 means that the link never expires. */
    expires: z.nullish(z.union([z.string().check(z.maxLength(64)), z.number()])),
    unit: z.nullish(z.string().check(z.maxLength(64))),
  }),
)
export type ShareRequest = z.infer<typeof ShareRequest>

/** Body of `PATCH /api/links/{hash}`: what is left out stays. */
export const LinkChange = z.object({
  /** Seconds since the epoch, in the future; 0 for never. */
  expire: z.exactOptional(z.int().check(z.nonnegative())),
  /** The new password; `null` or an empty text for none. */
  password: z.exactOptional(z.nullable(z.string())),
})
export type LinkChange = z.infer<typeof LinkChange>

/** Authorizes downloads from a password-protected link for an hour. */
const ticket = { token: z.exactOptional(z.string()) }

/**
 * Response of `GET /api/public/share/{hash}/{path}`: paths are relative to the shared object, `''` for a shared file.
 */
export const SharedResource = z.union([z.extend(FolderResource, ticket), z.extend(FileResource, ticket)])
export type SharedResource = z.infer<typeof SharedResource>

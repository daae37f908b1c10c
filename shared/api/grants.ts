import * as z from 'zod/mini'
import { Time, TimeInput } from './time.ts'

/** What a grant can give in the files. */
export const GRANT_RIGHTS = ['download', 'create', 'rename', 'modify', 'delete'] as const
export type GrantRight = (typeof GRANT_RIGHTS)[number]

/** All that a grant can give; `share` lets recipients share it with others. */
export const GIVEN_RIGHTS = [...GRANT_RIGHTS, 'share'] as const
export type GivenRight = (typeof GIVEN_RIGHTS)[number]

/** The longest note to recipients, in characters. */
export const LONGEST_GRANT_NOTE = 200

/** Who can receive a grant: `id` is that of the user as a text, or of the group. */
export const Recipient = z.object({ kind: z.enum(['user', 'group']), id: z.string(), name: z.string() })
export type Recipient = z.infer<typeof Recipient>

/** The users and groups that a caller finds. */
export const Recipients = z.array(Recipient)
export type Recipients = z.infer<typeof Recipients>

const rights = z.array(z.enum(GIVEN_RIGHTS)).check(z.minLength(1), z.maxLength(GIVEN_RIGHTS.length))
const note = z.string().check(z.maxLength(LONGEST_GRANT_NOTE))
/** Null for never. */
const expires = z.nullable(TimeInput)

const about = { rights: z.array(z.enum(GIVEN_RIGHTS)), note: z.string(), expires: z.nullable(Time) }

/** A file or folder that a user shares with another user or a group (http-api 36). */
export const Grant = z.object({
  id: z.string(),
  /** In the scope of the caller; in that of the owner in the list of all grants. */
  path: z.string(),
  isDir: z.boolean(),
  to: Recipient,
  ...about,
  created: Time,
  /** Its name; only in the list of all grants. */
  owner: z.exactOptional(z.string()),
  /** The recipient who shares it on, where that is not the caller. */
  by: z.exactOptional(z.string()),
})
export type Grant = z.infer<typeof Grant>

/** Body of `POST /api/grants`. */
export const GrantRequest = z.object({
  path: z.string(),
  to: z.object({ kind: z.enum(['user', 'group']), id: z.string().check(z.maxLength(64)) }),
  rights,
  note: z.exactOptional(note),
  expires: z.exactOptional(expires),
})
export type GrantRequest = z.infer<typeof GrantRequest>

/** Body of `PATCH /api/grants/{id}`: what is left out stays. */
export const GrantChange = z.object({
  rights: z.exactOptional(rights),
  note: z.exactOptional(note),
  expires: z.exactOptional(expires),
})
export type GrantChange = z.infer<typeof GrantChange>

/** What another user shares with the caller. */
export const ReceivedGrant = z.object({
  id: z.string(),
  /** In the folder of what is shared with the caller. */
  path: z.string(),
  isDir: z.boolean(),
  /** The user who shares it. */
  owner: z.string(),
  ...about,
})
export type ReceivedGrant = z.infer<typeof ReceivedGrant>

/** Response of `GET /api/grants/received`. */
export const ReceivedGrants = z.object({
  /** The path of the folder that holds them; null where there are none. */
  folder: z.nullable(z.string()),
  items: z.array(ReceivedGrant),
})
export type ReceivedGrants = z.infer<typeof ReceivedGrants>

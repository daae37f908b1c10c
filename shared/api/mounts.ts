import * as z from 'zod/mini'
import { GIVEN_RIGHTS, Recipient } from './grants.ts'
import { LARGEST_QUOTA } from './quotas.ts'
import { Time, TimeInput } from './time.ts'

/** What a mount can give: what a grant can. With `share` users make links to what is in it. */
export const MOUNT_RIGHTS = GIVEN_RIGHTS
export type MountRight = (typeof MOUNT_RIGHTS)[number]

/** How a mount is given: with rights, and with `inherit`, which adds those that the user has in their own files. */
export const GIVEN_MOUNT_RIGHTS = [...MOUNT_RIGHTS, 'inherit'] as const
export type GivenMountRight = (typeof GIVEN_MOUNT_RIGHTS)[number]

/** A folder of another root as one user has it. */
export interface HeldMount {
  id: string
  /** The name of the folder at the top of the user's files. */
  name: string
  /** The name of the root. */
  root: string
  /** In that root. */
  folder: string
  rights: readonly GivenMountRight[]
  /** What each of those to whom it is given adds: the user, or a group by id. */
  given: readonly { group?: string; rights: readonly GivenMountRight[] }[]
  /** No user changes anything in it. */
  readOnly: boolean
  /** When it was made, in milliseconds since the epoch. */
  since: number
}

/** A folder of another root as its user sees it (http-api 51). */
export const OwnMount = z.object({
  /** In the user's scope. */
  path: z.string(),
  /** The name of the root. */
  root: z.string(),
  /** What the caller may do there. */
  rights: z.array(z.enum(MOUNT_RIGHTS)),
  /** Whether deleted items go to the trash there, where the host has one. */
  trash: z.boolean(),
})
export type OwnMount = z.infer<typeof OwnMount>

/** A limit of what lies in a folder; null for none. */
const Quota = z.object({
  /** Bytes of the files. */
  bytes: z.nullable(z.number()),
  /** Files and folders. */
  items: z.nullable(z.number()),
})

/** Null to take the limit away. */
const Limit = z.exactOptional(z.nullable(z.int().check(z.minimum(0), z.maximum(LARGEST_QUOTA))))

/** A further root of the host (http-api 51). */
export const RootAnswer = z.object({
  name: z.string(),
  /** Shown in place of the name; empty for none. */
  label: z.string(),
  kind: z.enum(['folder', 'bucket']),
  /** No user changes anything in it. */
  readOnly: z.boolean(),
  /** Whether it is there now. */
  available: z.boolean(),
  /** Another disk than before is in its place: it is not available until an administrator accepts that. */
  exchanged: z.exactOptional(z.literal(true)),
  /** Bytes of its volume; null for a bucket and for a root that is not there. */
  room: z.nullable(z.object({ total: z.number(), used: z.number() })),
  /** Mounts of folders in it. */
  mounts: z.int(),
  quota: Quota,
})
export type RootAnswer = z.infer<typeof RootAnswer>

/** Body of `PATCH /api/roots/{name}`. What is missing stays as it is. */
export const RootChange = z.object({
  label: z.exactOptional(z.string().check(z.maxLength(64))),
  /** Takes the disk that is in its place now for the root. */
  accept: z.exactOptional(z.literal(true)),
  /** Bytes of the files in it. */
  quotaBytes: Limit,
  /** Files and folders in it. */
  quotaItems: Limit,
})
export type RootChange = z.infer<typeof RootChange>

const rights = z.array(z.enum(GIVEN_MOUNT_RIGHTS)).check(z.minLength(1), z.maxLength(GIVEN_MOUNT_RIGHTS.length))

/** A folder of another root, and to whom it is given (http-api 51). */
export const Mount = z.object({
  id: z.string(),
  name: z.string(),
  root: z.string(),
  /** In that root. */
  folder: z.string(),
  /** No user changes anything in it. */
  readOnly: z.boolean(),
  created: Time,
  quota: Quota,
  /** To whom it is given; the oldest first. */
  access: z.array(
    z.object({
      to: Recipient,
      rights: z.array(z.enum(GIVEN_MOUNT_RIGHTS)),
      /** When it ends; null for never. */
      expires: z.nullable(Time),
    }),
  ),
})
export type Mount = z.infer<typeof Mount>

const name = z.string().check(z.maxLength(1024))

/** Body of `POST /api/mounts`. */
export const MountRequest = z.object({
  name,
  root: z.string().check(z.maxLength(64)),
  /** In that root; all of it unless given. */
  folder: z.exactOptional(z.string().check(z.maxLength(16_384))),
  /** Make the folder if it is missing. */
  make: z.exactOptional(z.boolean()),
  readOnly: z.exactOptional(z.boolean()),
})
export type MountRequest = z.infer<typeof MountRequest>

/** Body of `PUT /api/mounts/{id}`; the folder stays, and so does a limit that is missing. */
export const MountChange = z.object({ name, readOnly: z.boolean(), quotaBytes: Limit, quotaItems: Limit })
export type MountChange = z.infer<typeof MountChange>

/** Body of `PUT /api/mounts/{id}/access/{kind}/{subject}`. */
export const MountAccessRequest = z.object({
  rights,
  /** When it ends, in the future; never unless given. */
  expires: z.exactOptional(z.nullable(TimeInput)),
})
export type MountAccessRequest = z.infer<typeof MountAccessRequest>

import * as z from 'zod/mini'

/** The own quota of a user or group that sets no limit, where a group would set one. */
export const NO_LIMIT = -1
/** The largest quota, in bytes or items. */
export const LARGEST_QUOTA = Number.MAX_SAFE_INTEGER

const Room = {
  /** The limit; null for none. */
  limit: z.nullable(z.number()),
  /** What lies in the home. */
  used: z.number(),
  /** What running uploads and copies have reserved. */
  reserved: z.number(),
}

/** What a home holds and may hold, in bytes. */
const Fill = {
  ...Room,
  /** False while the home is being counted: `used` may be too high, or unknown for a new quota. */
  exact: z.boolean(),
  /** The same for files and folders: their number. */
  items: z.object(Room),
}

/** Response of `GET /api/quota` (http-api 37). */
export const QuotaAnswer = z.object(Fill)
export type QuotaAnswer = z.infer<typeof QuotaAnswer>

const Group = z.object({ id: z.string(), name: z.string() })

/** The quota of a user, as administrators see it. */
export const UserQuota = z.object({
  ...Fill,
  id: z.int(),
  username: z.string(),
  /** Set for this user: bytes, -1 for no limit, null for what the groups give. */
  own: z.nullable(z.number()),
  /** The group that gives the limit. */
  group: z.exactOptional(Group),
  /** As `own`, for the number of files and folders. */
  ownItems: z.nullable(z.number()),
  /** The group that gives the limit of files and folders. */
  itemsGroup: z.exactOptional(Group),
})
export type UserQuota = z.infer<typeof UserQuota>

/** Response of `GET /api/quotas`: every user, root and mount with a quota, and every group that gives one. */
export const QuotasAnswer = z.object({
  /** Further roots with a quota, by name. */
  roots: z.array(z.object({ ...Fill, name: z.string() })),
  /** Mounts with a quota, by name. */
  mounts: z.array(z.object({ ...Fill, id: z.string(), name: z.string() })),
  users: z.array(UserQuota),
  groups: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      own: z.nullable(z.number()),
      ownItems: z.nullable(z.number()),
    }),
  ),
})
export type QuotasAnswer = z.infer<typeof QuotasAnswer>

/** -1 for no limit, null to take the limit away. */
const Limit = z.exactOptional(z.nullable(z.int().check(z.minimum(NO_LIMIT), z.maximum(LARGEST_QUOTA))))

/** Body of `PUT /api/quotas/users/{id}` and `PUT /api/quotas/groups/{id}`. What is missing stays as it is. */
export const QuotaRequest = z
  .object({
    /** Bytes of the files. */
    bytes: Limit,
    /** Files and folders. */
    items: Limit,
  })
  .check(z.refine(({ bytes, items }) => bytes !== undefined || items !== undefined, 'bytes or items is missing'))
export type QuotaRequest = z.infer<typeof QuotaRequest>

import * as z from 'zod/mini'
import { Time, TimeInput } from './time.ts'

/** Whether deleted things are kept: always, where the client asks for it, or never. */
export const TRASH_MODES = ['on', 'choice', 'off'] as const
export type TrashMode = (typeof TRASH_MODES)[number]

/** Maximum number of things in one request. */
export const MAX_TRASH_ITEMS = 1000
/** Rows per response. */
export const TRASH_PAGE = 200

/** A thing in the trash. */
export const KeptItem = z.object({
  id: z.string(),
  name: z.string(),
  /** The path in the caller's scope that it had. */
  path: z.string(),
  isDir: z.boolean(),
  /** Bytes of a file; 0 for a folder. */
  size: z.number(),
  /** RFC 3339. */
  modified: Time,
  deleted: Time,
  /** When it expires; absent if its age does not end it. */
  until: z.exactOptional(Time),
  /** The name of the user who deleted it, at that time; empty if another program did. */
  by: z.string(),
  mine: z.boolean(),
  /** Another program deleted it, on the desktop of the server's account. It does not expire. */
  outside: z.exactOptional(z.boolean()),
})
export type KeptItem = z.infer<typeof KeptItem>

/** Response of `GET /api/trash`: the newest first. */
export const TrashPage = z.object({
  items: z.array(KeptItem),
  /** Whether there are older ones that match. */
  more: z.boolean(),
  /** Of everything in the trash that the caller sees, whatever the filter; bytes without those in folders. */
  count: z.int(),
  bytes: z.number(),
})
export type TrashPage = z.infer<typeof TrashPage>

const Choice = z.enum(['keepBoth', 'replace', 'skip'])

/** What the trash takes of one disk, of what the caller sees. */
export const TrashRoom = z.object({
  /** The folder at which the disk begins, in the caller's scope. */
  place: z.string(),
  count: z.int(),
  /** Those in folders are counted in the background. */
  bytes: z.number(),
  /** Of the disk, in bytes; absent for a bucket, and while the disk is not there. */
  total: z.exactOptional(z.number()),
  free: z.exactOptional(z.number()),
  /** Items deleted for good whose space is not free yet. */
  leaving: z.exactOptional(z.int()),
  limits: z.object({
    /** 0 for no limit. */
    days: z.int(),
    /** Bytes that the trash may fill, and bytes that stay free of it; absent as `total`. */
    most: z.exactOptional(z.number()),
    spare: z.exactOptional(z.number()),
  }),
})
export type TrashRoom = z.infer<typeof TrashRoom>

/** Items to restore. */
const Orders = z
  .array(
    z.object({
      id: z.string(),
      /** The path of one entry inside a folder, from that folder. */
      inner: z.exactOptional(z.string()),
      /** The complete new path; the one that it had unless given. */
      to: z.exactOptional(z.string()),
    }),
  )
  .check(z.minLength(1), z.maxLength(MAX_TRASH_ITEMS))

/** Body of `POST /api/trash/restore`. Paths are absolute in the caller's scope, not encoded. */
export const RestoreBody = z.object({
  items: Orders,
  /** What to do where a name is taken; folders always merge. `keepBoth` unless given. */
  conflict: z.exactOptional(Choice),
  /** For single paths. */
  choices: z.exactOptional(z.record(z.string(), Choice)),
})
export type RestoreBody = z.infer<typeof RestoreBody>

/** Body of `POST /api/trash/conflicts`: the same items as for a restore. */
export const RestoreConflictsBody = z.object({ items: Orders })
export type RestoreConflictsBody = z.infer<typeof RestoreConflictsBody>

/** Body of `POST /api/trash/purge`: either some things, or all that the caller may delete. */
export const PurgeBody = z.object({
  ids: z.exactOptional(z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_TRASH_ITEMS))),
  all: z.exactOptional(z.boolean()),
  /** With `all`: only the caller's own. */
  mine: z.exactOptional(z.boolean()),
  /** With `all`: only things deleted before this time, RFC 3339. */
  before: z.exactOptional(TimeInput),
})
export type PurgeBody = z.infer<typeof PurgeBody>

/** Body of `POST /api/trash/empty`. */
export const EmptyBody = z.object({
  /** Only the caller's own. */
  mine: z.exactOptional(z.boolean()),
  /** Only things deleted before this time, RFC 3339. */
  before: z.exactOptional(TimeInput),
})
export type EmptyBody = z.infer<typeof EmptyBody>

export const TrashResult = z.object({
  id: z.string(),
  state: z.enum(['done', 'skipped', 'failed']),
  /** Where it is now. */
  to: z.exactOptional(z.string()),
  /** Why it failed: a code as in the header `X-Error-Code`. */
  code: z.exactOptional(z.string()),
})
export type TrashResult = z.infer<typeof TrashResult>

export const TrashResults = z.object({
  results: z.array(TrashResult),
  /** Whether `all` has more than one request deletes: repeat it. */
  more: z.boolean(),
})
export type TrashResults = z.infer<typeof TrashResults>

import * as z from 'zod/mini'
import { Time } from './time.ts'

/** Which former contents of files are kept: fewer the older they are, all of them for some time, or none. */
export const VERSION_MODES = ['smart', 'all', 'off'] as const
export type VersionMode = (typeof VERSION_MODES)[number]

/**
 * What becomes of the present content at the next change: it becomes a version; nothing is kept (`none`), or nothing of files
 * with such names (`skipped`); what the last change replaced was not kept either (`unsure`), as where the disk cannot keep it.
 */
export const NEXT_VERSIONS = ['kept', 'none', 'skipped', 'unsure'] as const
export type NextVersion = (typeof NEXT_VERSIONS)[number]

/** Versions per response. */
export const VERSIONS_PAGE = 200
/** Maximum length in characters of a version's name. */
export const MAX_VERSION_LABEL = 100
/** Versions of one file that can be pinned. */
export const MAX_PINNED_VERSIONS = 100

/** By what a content gave way to the next one. */
export const VERSION_REASONS = ['upload', 'save', 'copy', 'move', 'extract', 'restore', 'undo', 'outside'] as const
export type VersionReason = (typeof VERSION_REASONS)[number]

/** A former content of a file. Its bytes: `GET /api/kept/raw/{id}`. */
export const VersionItem = z.object({
  id: z.string(),
  /** The name and the path in the caller's scope that the file had then. */
  name: z.string(),
  path: z.string(),
  size: z.number(),
  /** Modification time of the content, RFC 3339. */
  modified: Time,
  /** When it gave way, RFC 3339; the order of the list. */
  replaced: Time,
  /** The name of the user who replaced it, at that time. */
  by: z.string(),
  mine: z.boolean(),
  reason: z.enum(VERSION_REASONS),
  /** Its name, if a user gave it one. */
  label: z.exactOptional(z.string()),
  /** Never removed by age, number or lack of room. A named version is pinned, too. */
  pinned: z.boolean(),
  /** The latest time at which it expires, RFC 3339; absent if its age does not end it. */
  until: z.exactOptional(Time),
  /** Its disk is not available: it can be neither read nor restored now. */
  away: z.exactOptional(z.boolean()),
})
export type VersionItem = z.infer<typeof VersionItem>

/** Response of `GET /api/versions/{path}`. */
export const VersionsPage = z.object({
  current: z.object({
    name: z.string(),
    path: z.string(),
    size: z.number(),
    /** RFC 3339. */
    modified: Time,
    /** As `If-Match` takes it, without quotes. */
    version: z.string(),
    /** Another program changed it after the last change through Filigree. */
    outside: z.boolean(),
  }),
  /** The newest first. */
  items: z.array(VersionItem),
  /** Whether there are older ones. */
  more: z.boolean(),
  mode: z.enum(VERSION_MODES),
  /** Whether the file's storage keeps versions. */
  supported: z.boolean(),
  next: z.enum(NEXT_VERSIONS),
  /** Whether the caller may restore, name and remove versions. */
  canChange: z.boolean(),
})
export type VersionsPage = z.infer<typeof VersionsPage>

/**
 * Body of `POST /api/versions/{path}`. `replace`: the content becomes that of the file, whose current content becomes a
 * version; `copy`: it becomes another file.
 */
export const RestoreVersionBody = z.object({
  id: z.string(),
  how: z.enum(['replace', 'copy']),
  /** With `copy`: the path of the new file; if it is taken or absent, a free name next to it. */
  to: z.exactOptional(z.string()),
})
export type RestoreVersionBody = z.infer<typeof RestoreVersionBody>

/** Its response; the header `ETag` has the version of the file. */
export const RestoredVersion = z.object({
  /** The path of the file that has the content now. */
  path: z.string(),
  /** The id of the version that the current content became. */
  kept: z.exactOptional(z.string()),
})
export type RestoredVersion = z.infer<typeof RestoredVersion>

/** Body of `PATCH /api/kept/{id}`. */
export const VersionChange = z.object({
  /** Its name; `''` removes it. A version that is given a name is pinned. */
  label: z.exactOptional(z.string().check(z.maxLength(MAX_VERSION_LABEL))),
  pinned: z.exactOptional(z.boolean()),
})
export type VersionChange = z.infer<typeof VersionChange>

import * as z from 'zod/mini'
import { Time } from './time.ts'

/** An earlier state of the files, made by the file system of the host. */
export const SnapshotItem = z.object({
  /** For `at` in other calls. */
  id: z.string(),
  /** RFC 3339. */
  time: Time,
  /** Its name on the host. */
  name: z.string(),
  source: z.enum(['zfs', 'snapper', 'folder', 'pattern']),
  /** Of a file: its size in bytes and modification time then. */
  size: z.exactOptional(z.number()),
  modified: z.exactOptional(Time),
})
export type SnapshotItem = z.infer<typeof SnapshotItem>

/** Response of `GET /api/snapshots/{path}`: those with the entry, the newest first. */
export const SnapshotList = z.object({
  items: z.array(SnapshotItem),
  /** Whether older ones were not searched. */
  more: z.boolean(),
})
export type SnapshotList = z.infer<typeof SnapshotList>

/** Body of `POST /api/snapshots/{path}`, where the entry is copied to. */
export const SnapshotRestore = z.object({
  at: z.string(),
  /** The path in the caller's scope, not encoded, of a file, or a folder with its content; the same unless given. */
  from: z.exactOptional(z.string()),
  /** What to do where a file exists; folders merge. `keepBoth` unless given. */
  conflict: z.exactOptional(z.enum(['keepBoth', 'replace', 'skip'])),
})
export type SnapshotRestore = z.infer<typeof SnapshotRestore>

/** A file or folder that was copied from a snapshot, or not. */
export const RestoredEntry = z.object({
  path: z.string(),
  state: z.enum(['restored', 'skipped', 'failed']),
  /** Why it failed: a code as in the header `X-Error-Code`. */
  code: z.exactOptional(z.string()),
})
export type RestoredEntry = z.infer<typeof RestoredEntry>

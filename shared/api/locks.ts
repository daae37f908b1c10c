import * as z from 'zod/mini'
import { Time } from './time.ts'

export const LOCK_SCOPES = ['exclusive', 'shared'] as const
export type LockScope = (typeof LOCK_SCOPES)[number]

/** The protocol that took a lock. */
export const LOCK_VIA = ['dav', 'wopi'] as const
export type LockVia = (typeof LOCK_VIA)[number]

/** A lock of a file or a folder. */
export const LockInfo = z.object({
  id: z.string(),
  /** The nearest path to the locked one that the caller may see. */
  path: z.string(),
  /** Whether it is the caller’s. */
  mine: z.boolean(),
  /** Whether the caller may release it. */
  releasable: z.boolean(),
  /** The name of its user, as far as the caller may know it. */
  who: z.exactOptional(z.string()),
  /** The program that took it. */
  label: z.string(),
  via: z.enum(LOCK_VIA),
  /** RFC 3339. */
  since: Time,
  /** RFC 3339: it ends then unless it is refreshed. */
  until: Time,
  /** `infinity` for a folder with all that is in it. */
  depth: z.enum(['0', 'infinity']),
  scope: z.enum(LOCK_SCOPES),
})
export type LockInfo = z.infer<typeof LockInfo>

/** Response of `GET /api/locks/{path}`. */
export const LockList = z.object({ locks: z.array(LockInfo) })
export type LockList = z.infer<typeof LockList>

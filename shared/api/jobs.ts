import * as z from 'zod/mini'
import { CONFLICT_CHOICES } from '../conflicts.ts'
import { Time, TimeInput } from './time.ts'

/** The operation on the items. */
export const JOB_KINDS = [
  'copy',
  'move',
  'rename',
  'delete',
  'archive',
  'extract',
  'verify',
  'duplicates',
  'resolve',
] as const
export type JobKind = (typeof JOB_KINDS)[number]
/** All kinds of jobs: an undo and rewinding a folder are begun at `/api/changes`, emptying the trash at `/api/trash`. */
export const ALL_JOB_KINDS = [...JOB_KINDS, 'undo', 'rewind', 'empty'] as const

/** What happens to a duplicate: it goes to the trash, shares its blocks with the kept file, or becomes another name of it. */
export const RESOLVE_ACTS = ['trash', 'reflink', 'link'] as const
export type ResolveAct = (typeof RESOLVE_ACTS)[number]

/** Bytes of the smallest file that a search for duplicates considers, unless it says otherwise. */
export const LEAST_DUPLICATE = 1024 * 1024

/** Maximum items per job. */
export const MAX_JOB_ITEMS = 100_000
/** Maximum bytes of the body that creates a job: the paths of a very large selection. */
export const MAX_JOB_BODY = 32 * 1024 * 1024
/** Maximum delay of a planned job in milliseconds. */
export const MAX_JOB_DELAY = 366 * 86_400_000

const Choice = z.enum(CONFLICT_CHOICES)

/** Body of `POST /api/jobs`. Paths are absolute in the caller's scope, not encoded. */
export const JobRequest = z.object({
  kind: z.enum(JOB_KINDS),
  items: z
    .array(
      z.object({
        from: z.string(),
        /** The complete new path, for `copy` and `move`; for `rename` one in the same folder; for `resolve` the file that is kept; for `extract` the folder, which is created if missing. */
        to: z.exactOptional(z.string()),
        conflict: z.exactOptional(Choice),
      }),
    )
    .check(z.minLength(1), z.maxLength(MAX_JOB_ITEMS)),
  /**
   * For items without a choice of their own. Without any choice, an item whose destination exists fails with `exists`.
   */
  conflict: z.exactOptional(Choice),
  /** For single items in merged folders, by destination path. */
  choices: z.exactOptional(z.record(z.string(), Choice)),
  /**
   * Modification times of the existing items when the choices were made, by path, RFC 3339. Items changed since are not
   * replaced and fail with `exists`.
   */
  seen: z.exactOptional(z.record(z.string(), z.string())),
  /** For `delete`: for good, not to the trash. */
  permanent: z.exactOptional(z.boolean()),
  /** For `copy` and `move`: reads each copy again and compares it, before a source is removed. */
  verify: z.exactOptional(z.boolean()),
  /** For `duplicates`: bytes of the smallest file that is considered. */
  least: z.exactOptional(z.int().check(z.minimum(1))),
  /** For `resolve`: what happens to each `from`, which has the same content as its `to`. */
  act: z.exactOptional(z.enum(RESOLVE_ACTS)),
  /** For `delete`: to the trash also by a copy of any size, where its disk allows no rename. */
  copy: z.exactOptional(z.boolean()),
  /** The archive to create from the items, for `archive`. */
  archive: z.exactOptional(z.object({ to: z.string(), format: z.string().check(z.maxLength(40)) })),
  /** Start time, RFC 3339; immediately unless given. */
  runAt: z.exactOptional(TimeInput),
})
export type JobRequest = z.infer<typeof JobRequest>

/** Body of `PATCH /api/jobs/:id`. */
export const JobChange = z.object({
  /** `true` pauses the job, or keeps it from starting; `false` resumes it. */
  paused: z.boolean(),
})
export type JobChange = z.infer<typeof JobChange>

export const JobItem = z.object({
  from: z.string(),
  /** The destination. */
  to: z.exactOptional(z.string()),
  /** The archive member of `from` that could not be extracted, by its displayed name; what a transfer of WebDAV left out, by its path in `from`. */
  member: z.exactOptional(z.string()),
  state: z.enum(['waiting', 'running', 'done', 'skipped', 'failed', 'cancelled']),
  /** Why it failed: a code as in the header `X-Error-Code`. */
  code: z.exactOptional(z.string()),
  /** With `too_far`: what would have to be copied, if known. */
  bytes: z.exactOptional(z.number()),
  /**
   * For `delete`: the id of the thing in the trash, if it is there. For `copy`, `move`, `archive` and `extract`: as `X-Kept` of a
   * copy or a move.
   */
  kept: z.exactOptional(z.string()),
})
export type JobItem = z.infer<typeof JobItem>

/** The state of a job. Times are RFC 3339. */
export const Job = z.object({
  id: z.string(),
  kind: z.enum(ALL_JOB_KINDS),
  userID: z.int(),
  state: z.enum(['waiting', 'running', 'paused', 'done', 'cancelled']),
  /**
   * Why it ended before all items were done: `unauthorized` when its user may no longer act, `session_ended` when the
   * session that created it was revoked.
   */
  code: z.exactOptional(z.string()),
  created: Time,
  runAt: Time,
  /** What began it, unless that was the API: a COPY or MOVE of WebDAV. */
  via: z.exactOptional(z.literal('dav')),
  /** Whether it has a start time chosen by the user. */
  scheduled: z.boolean(),
  started: z.exactOptional(Time),
  ended: z.exactOptional(Time),
  /** The id of the change that it made so far, with its items. */
  change: z.exactOptional(z.string()),
  /** Items by result. */
  count: z.object({ total: z.int(), done: z.int(), skipped: z.int(), failed: z.int(), cancelled: z.int() }),
  /** Of the items that are done: those of which not all replaced content could be kept; absent for none. */
  unkept: z.exactOptional(z.int()),
  /** Bytes written and items finished so far; the totals once they are known. */
  progress: z.object({
    bytes: z.int(),
    entries: z.int(),
    bytesTotal: z.exactOptional(z.int()),
    entriesTotal: z.exactOptional(z.int()),
  }),
  /** The first item, to distinguish jobs. */
  first: z.object({ from: z.string(), to: z.exactOptional(z.string()) }),
  /** In the order given; only in the response for a single job. */
  items: z.exactOptional(z.array(JobItem)),
})
export type Job = z.infer<typeof Job>

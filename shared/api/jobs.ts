import * as z from 'zod/mini'
import { CONFLICT_CHOICES } from '../conflicts.ts'

/** What a job does with its items. */
export const JOB_KINDS = ['copy', 'move', 'delete', 'archive', 'extract'] as const
export type JobKind = (typeof JOB_KINDS)[number]

/** Items of one job. */
export const MAX_JOB_ITEMS = 100_000
/** Bytes of the body that orders a job: the paths of a very large selection. */
export const MAX_JOB_BODY = 32 * 1024 * 1024
/** Milliseconds a job may be put off. */
export const MAX_JOB_DELAY = 366 * 86_400_000

const Choice = z.enum(CONFLICT_CHOICES)

/** Body of `POST /api/jobs`. Paths are absolute in the caller's scope, not encoded. */
export const JobRequest = z.object({
  kind: z.enum(JOB_KINDS),
  items: z
    .array(
      z.object({
        from: z.string(),
        /** The whole new path, for `copy` and `move`; for `extract` the folder, which is made if it is missing. */
        to: z.exactOptional(z.string()),
        conflict: z.exactOptional(Choice),
      }),
    )
    .check(z.minLength(1), z.maxLength(MAX_JOB_ITEMS)),
  /** For items without a choice of their own. Without any choice, an item whose place is taken fails with `exists`. */
  conflict: z.exactOptional(Choice),
  /** For single things in folders that are merged, by the path they would have. */
  choices: z.exactOptional(z.record(z.string(), Choice)),
  /**
   * When things that are in the way were changed last as the choices were made, by path, RFC 3339. What was changed since
   * is not replaced: its item fails with `exists`.
   */
  seen: z.exactOptional(z.record(z.string(), z.string())),
  /** The archive to be made of the items, for `archive`. */
  archive: z.exactOptional(z.object({ to: z.string(), format: z.string().check(z.maxLength(40)) })),
  /** When it is to begin, RFC 3339; at once unless given. */
  runAt: z.exactOptional(z.string().check(z.maxLength(64))),
})
export type JobRequest = z.infer<typeof JobRequest>

/** Body of `PATCH /api/jobs/:id`. */
export const JobChange = z.object({
  /** `true` interrupts the job, or keeps it from beginning; `false` lets it go on. */
  paused: z.boolean(),
})
export type JobChange = z.infer<typeof JobChange>

export const JobItem = z.object({
  from: z.string(),
  /** Where it goes, or went. */
  to: z.exactOptional(z.string()),
  /** What of the archive `from` it is, as people see its name; only of members that could not be taken out. */
  member: z.exactOptional(z.string()),
  state: z.enum(['waiting', 'running', 'done', 'skipped', 'failed', 'cancelled']),
  /** Why it failed: a code as in the header `X-Error-Code`. */
  code: z.exactOptional(z.string()),
})
export type JobItem = z.infer<typeof JobItem>

/** How a job stands. Times are RFC 3339. */
export const Job = z.object({
  id: z.string(),
  kind: z.enum(JOB_KINDS),
  userID: z.int(),
  state: z.enum(['waiting', 'running', 'paused', 'done', 'cancelled']),
  /**
   * Why it ended before its items did: `unauthorized` when its user may no longer act, `session_ended` when the session that
   * asked for it was ended by force.
   */
  code: z.exactOptional(z.string()),
  created: z.string(),
  runAt: z.string(),
  /** Whether it was put off to a time that somebody chose. */
  scheduled: z.boolean(),
  started: z.exactOptional(z.string()),
  ended: z.exactOptional(z.string()),
  /** Items by what became of them. */
  count: z.object({ total: z.int(), done: z.int(), skipped: z.int(), failed: z.int(), cancelled: z.int() }),
  /** Bytes written and things finished so far; how many in all, once that is known. */
  progress: z.object({
    bytes: z.int(),
    entries: z.int(),
    bytesTotal: z.exactOptional(z.int()),
    entriesTotal: z.exactOptional(z.int()),
  }),
  /** The first item, to tell jobs apart. */
  first: z.object({ from: z.string(), to: z.exactOptional(z.string()) }),
  /** In the order they were given; only where one job is told of. */
  items: z.exactOptional(z.array(JobItem)),
})
export type Job = z.infer<typeof Job>

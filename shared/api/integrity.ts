import * as z from 'zod/mini'
import { Time } from './time.ts'

/** How often the server reads each file again, to compare it with its known checksum. */
export const SCRUB_MODES = ['off', 'weekly', 'monthly', 'quarterly'] as const
export type ScrubMode = (typeof SCRUB_MODES)[number]

/** The most findings of one page. */
export const FINDINGS_PAGE = 100

/**
 * What is wrong with a file. `rotten`: other bytes with the same size and times; `quiet`: other bytes with the same size
 * and modification time, but another change time; `unreadable`: the disk does not return its bytes.
 */
export const FINDING_KINDS = ['rotten', 'quiet', 'unreadable'] as const

export const FINDING_STATES = ['open', 'accepted', 'restored'] as const
export type IntegrityState = (typeof FINDING_STATES)[number]

/** A finding about a file; times are RFC 3339. */
export const IntegrityFinding = z.object({
  id: z.string(),
  kind: z.enum(FINDING_KINDS),
  state: z.enum(FINDING_STATES),
  /** In the served folder, whatever the user’s scope. */
  place: z.string(),
  /** In the caller's scope, where the caller sees it. */
  path: z.exactOptional(z.string()),
  time: Time,
  size: z.int(),
  /** SHA-256 in hexadecimal: the known one, and that of the bytes that were read. */
  expected: z.exactOptional(z.string()),
  found: z.exactOptional(z.string()),
  /** Paths of other files that had the expected content when they were last read. */
  copies: z.array(z.string()),
  settled: z.exactOptional(Time),
  settledBy: z.exactOptional(z.string()),
})
export type IntegrityFinding = z.infer<typeof IntegrityFinding>

/** Response of `GET /api/integrity/findings`: the newest first. */
export const IntegrityFindings = z.object({ items: z.array(IntegrityFinding), more: z.boolean() })
export type IntegrityFindings = z.infer<typeof IntegrityFindings>

/** Body of `PATCH /api/integrity/findings/:id`. */
export const FindingChange = z.object({
  /** `accepted`: the content is right as it is; `restored`: it is again what it was. */
  state: z.enum(['accepted', 'restored']),
  /** With `restored`: a file in the caller's scope with the right content, which is copied over first. */
  from: z.exactOptional(z.string()),
})
export type FindingChange = z.infer<typeof FindingChange>

const Counted = z.object({ files: z.int(), bytes: z.int() })

const Run = z.object({
  started: Time,
  /** Absent while it runs, and of one that was killed. */
  ended: z.exactOptional(Time),
  /** Whether nothing was left to check. */
  complete: z.boolean(),
  /** Files that were read, and new findings. */
  read: Counted,
  found: z.int(),
})

/** Response of `GET /api/integrity`; times are RFC 3339. */
export const IntegrityReport = z.object({
  scrub: z.enum(SCRUB_MODES),
  /** Bytes per second. */
  rate: z.int(),
  /** Hours of the day in the server's time zone. */
  hours: z.object({ from: z.int(), to: z.int() }),
  /** Files of the served folder at the last complete run; absent before the first one. */
  total: z.exactOptional(Counted),
  /** Files whose checksum is known, and of these the ones that were read in the current period. */
  known: Counted,
  checked: Counted,
  last: z.exactOptional(Run),
  next: z.exactOptional(Time),
  /** Findings that are open. */
  open: z.int(),
})
export type IntegrityReport = z.infer<typeof IntegrityReport>

/** The most groups of one page. */
export const DUPLICATES_PAGE = 50

/** A search for files of the same content, by the id of its job; times are RFC 3339. */
export const DuplicateRun = z.object({
  id: z.string(),
  /** In the caller's scope. */
  folder: z.string(),
  /** Bytes of the smallest file considered. */
  least: z.int(),
  started: Time,
  /** Absent while it runs, and of one that did not end. */
  ended: z.exactOptional(Time),
  /** Files that were found, and those that could not be read. */
  files: z.int(),
  skipped: z.int(),
})
export type DuplicateRun = z.infer<typeof DuplicateRun>

/** Files of the same content when they were read. */
export const DuplicateGroup = z.object({
  group: z.int(),
  /** Bytes of each file. */
  size: z.int(),
  sha256: z.string(),
  /** The oldest first; paths in the caller's scope. */
  files: z.array(z.object({ path: z.string(), modified: Time })),
})
export type DuplicateGroup = z.infer<typeof DuplicateGroup>

/** Response of `GET /api/duplicates/:run`: the groups with the most bytes to gain first. */
export const DuplicatesPage = z.object({
  run: DuplicateRun,
  groups: z.array(DuplicateGroup),
  /** The number to ask for the next page with, if there is one. */
  next: z.exactOptional(z.int()),
})
export type DuplicatesPage = z.infer<typeof DuplicatesPage>

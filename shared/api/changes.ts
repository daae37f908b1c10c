import * as z from 'zod/mini'
import { Time, TimeInput } from './time.ts'

/**
 * What a change was. `undo` is also the undo of an undo, which does the first change again; `expire` is of the server: items
 * that left the trash by age or for lack of room. `link` made, `relink` changed and `unlink`
 * removed a share link: its owner and administrators see these.
 */
export const CHANGE_KINDS = [
  'delete',
  'purge',
  'move',
  'rename',
  'copy',
  'create',
  'upload',
  'save',
  'archive',
  'extract',
  'restore',
  'revert',
  'undo',
  'rewind',
  'expire',
  'link',
  'relink',
  'unlink',
] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** One effect on one path. */
export const STEP_KINDS = ['trash', 'move', 'make', 'replace', 'restore', 'purge', 'link'] as const
export type StepKind = (typeof STEP_KINDS)[number]

/** What a change of a share link did to its settings, without their values. */
export const LINK_CHANGES = [
  'passwordSet',
  'passwordChanged',
  'passwordRemoved',
  /** It ends at a time now, or at none any more. */
  'endSet',
  'endRemoved',
  'endsLater',
  'endsEarlier',
  'nameChanged',
  'addressChanged',
  'paused',
  'resumed',
  'previewsOnly',
  'downloadsAllowed',
  'rightsAdded',
  'rightsRemoved',
  'rightsChanged',
  'messageChanged',
  'senderChanged',
  /** Of downloads, files or sizes. */
  'limitRaised',
  'limitLowered',
] as const
export type LinkChange = (typeof LINK_CHANGES)[number]

/** Changes per response. */
export const CHANGES_PAGE = 50
/** Steps per response of one change. */
export const STEPS_PAGE = 200
/** Steps that are undone before the response; an undo of more runs as a job. */
export const MAX_UNDO_AT_ONCE = 20

/** Why a change, or a step of one, cannot be undone as it is. */
export const UNDO_OBSTACLES = [
  /** What it needs was deleted for good, expired, or was not kept. */
  'gone',
  /** Something else is at the path. `choices` decides. */
  'taken',
  /** The item was changed after it. `offers` decides. */
  'changed_since',
  /** Visitors could open or do more than now by a share link, as before the change. `offers` decides. */
  'reopens',
  /** It was undone already. */
  'undone',
  /** It deleted for good. */
  'final',
  'forbidden',
  /** The storage cannot do it. */
  'unsupported',
  /** It is being done at this moment. */
  'open',
] as const
export type UndoObstacle = (typeof UNDO_OBSTACLES)[number]

/**
 * What the caller can choose for a step whose undo has an obstacle: `trash` moves the changed item to the trash all the
 * same; `copy` restores the former content as another file next to it; `over` restores it, and the newer content is kept as
 * a version; `settings` gives a share link its former settings.
 */
export const UNDO_OFFERS = ['trash', 'copy', 'over', 'settings'] as const
export type UndoOffer = (typeof UNDO_OFFERS)[number]

/** A recorded change: one action of one user, with all its effects. Paths are absolute in the caller's scope. */
export const Change = z.object({
  id: z.string(),
  /** RFC 3339. */
  time: Time,
  /** The name of the user, at that time; empty where the caller may not know it, and for `expire`. */
  user: z.string(),
  mine: z.boolean(),
  /** Whether the caller's present session made it. */
  ofSession: z.boolean(),
  way: z.string(),
  /** Of a change by a visitor of a link: the name that the visitor gave; empty for none. */
  visitor: z.exactOptional(z.string()),
  kind: z.enum(CHANGE_KINDS),
  /** `open`: under way; `partly`: some steps are undone. */
  state: z.enum(['open', 'done', 'partly', 'undone']),
  /** The number of steps that the caller may see; at least that many where `counted` is false. */
  count: z.int(),
  counted: z.boolean(),
  bytes: z.number(),
  /** The deepest folder that holds all these steps. */
  folder: z.string(),
  /** Up to three names. */
  first: z.array(z.string()),
  undo: z.object({
    can: z.boolean(),
    /** RFC 3339: when what the undo needs expires. */
    until: z.exactOptional(Time),
    why: z.exactOptional(z.enum(UNDO_OBSTACLES)),
  }),
  /** The id of the change that undid it. */
  undoneBy: z.exactOptional(z.string()),
  /** The id of the change that it undid. */
  undoes: z.exactOptional(z.string()),
  /** For `undo`: the kind of the change that it undid, or with `again` did again; absent once that is forgotten. */
  about: z.exactOptional(z.object({ kind: z.enum(CHANGE_KINDS), again: z.boolean() })),
  job: z.exactOptional(z.string()),
})
export type Change = z.infer<typeof Change>

/** Response of `GET /api/changes`: the newest first. */
export const ChangePage = z.object({
  items: z.array(Change),
  /** Whether there are older ones that match. */
  more: z.boolean(),
})
export type ChangePage = z.infer<typeof ChangePage>

export const ChangeStep = z.object({
  /** Its number in the change. */
  position: z.int(),
  kind: z.enum(STEP_KINDS),
  /** The path that it acted on. */
  path: z.string(),
  /** For `move` the new path; absent where the caller does not see it. */
  to: z.exactOptional(z.string()),
  isDir: z.boolean(),
  state: z.enum(['open', 'done', 'undone', 'lost']),
  /** The id of the kept item: in the trash, or a version; or of a share link. */
  kept: z.exactOptional(z.string()),
  /** Of a share link whose settings were changed: what was done to them. */
  settings: z.exactOptional(z.array(z.enum(LINK_CHANGES))),
})
export type ChangeStep = z.infer<typeof ChangeStep>

/** A line of `GET /api/changes/export`; paths are those of the served folder. */
export const ExportedStep = z.object({
  /** The id of its change. */
  change: z.string(),
  position: z.int(),
  /** RFC 3339. */
  time: Time,
  user: z.string(),
  way: z.string(),
  /** What the change was. */
  kind: z.enum(CHANGE_KINDS),
  step: z.enum(STEP_KINDS),
  path: z.string(),
  /** The new path of a move, or empty. */
  to: z.string(),
  isDir: z.boolean(),
  state: z.enum(['open', 'done', 'undone', 'lost']),
})
export type ExportedStep = z.infer<typeof ExportedStep>

/** Response of `GET /api/changes/:id`. */
export const ChangeDetails = z.object({
  ...Change.shape,
  steps: z.array(ChangeStep),
  /** Whether there are more; `steps` in the query is the position to continue at. */
  moreSteps: z.boolean(),
})
export type ChangeDetails = z.infer<typeof ChangeDetails>

/** Body of `POST /api/changes/:id/undo`. */
export const UndoBody = z.object({
  /** Only says what the undo would do. */
  dry: z.exactOptional(z.boolean()),
  /** Positions of the steps to undo; all unless given. */
  steps: z.exactOptional(z.array(z.int()).check(z.minLength(1), z.maxLength(100_000))),
  /** What to do where a path is taken, by path; `conflict` for all others. Without a choice the step is refused. */
  choices: z.exactOptional(z.record(z.string(), z.enum(['keepBoth', 'replace', 'skip']))),
  conflict: z.exactOptional(z.enum(['keepBoth', 'replace', 'skip'])),
  /** What to do with an item that was changed since, by position; `offer` for all others. */
  offers: z.exactOptional(z.record(z.string(), z.enum(UNDO_OFFERS))),
  offer: z.exactOptional(z.enum(UNDO_OFFERS)),
})
export type UndoBody = z.infer<typeof UndoBody>

/**
 * How what an undo needs went: back to a folder, deleted for good by a user, expired, deleted to free room, or taken out
 * of the trash by another program.
 */
export const KEPT_ENDS = ['restored', 'purged', 'expired', 'room', 'taken'] as const
export type KeptEnd = (typeof KEPT_ENDS)[number]

/** What the undo of one step would do, or why it cannot. */
export const Verdict = z.object({
  position: z.int(),
  kind: z.enum(STEP_KINDS),
  /** The path that the undo acts on: where the item is now, or where it comes back. */
  path: z.string(),
  /** Where the undo puts it, if that is another path. */
  to: z.exactOptional(z.string()),
  isDir: z.boolean(),
  can: z.boolean(),
  why: z.exactOptional(z.enum(UNDO_OBSTACLES)),
  /** For `gone` and `final`: how and when the deleted item or the version went, where that is recorded. */
  went: z.exactOptional(z.object({ how: z.enum(KEPT_ENDS), time: Time })),
  /** For `changed_since` and `reopens`: what the caller may choose. */
  offers: z.array(z.enum(UNDO_OFFERS)),
})
export type Verdict = z.infer<typeof Verdict>

export const UndoResult = z.object({
  position: z.int(),
  state: z.enum(['done', 'skipped', 'failed']),
  /** Where the item is now; absent if it is in the trash. */
  path: z.exactOptional(z.string()),
  /** Why it failed: an obstacle as in `Verdict.why`, or a code as in the header `X-Error-Code`. */
  code: z.exactOptional(z.string()),
})
export type UndoResult = z.infer<typeof UndoResult>

/** Response of `POST /api/changes/:id/undo`, newest step first; 202 with a job (as `POST /api/jobs`) for more steps. */
export const UndoAnswer = z.object({
  /** With `dry`: up to 1000 of them. */
  verdicts: z.exactOptional(z.array(Verdict)),
  /** Otherwise. */
  results: z.exactOptional(z.array(UndoResult)),
  /** The id of the change that the undo made, if it did anything: undoing that one does the first change again. */
  change: z.exactOptional(z.string()),
  /** With `dry`: the number of steps, and of those that can be undone as they are; at least, beyond 1000. */
  count: z.exactOptional(z.int()),
  can: z.exactOptional(z.int()),
})
export type UndoAnswer = z.infer<typeof UndoAnswer>

/** Body of `POST /api/changes/rewind`. */
export const RewindBody = z.object({
  /** Absolute in the caller's scope, not encoded. */
  folder: z.string(),
  /** RFC 3339: everything that is recorded of the folder after this time is undone. */
  to: TimeInput,
  /** Only counts what the rewinding would do. */
  dry: z.exactOptional(z.boolean()),
})
export type RewindBody = z.infer<typeof RewindBody>

/** What rewinding a folder would do; the numbers are of items, and a folder is one item with all that is in it. */
export const RewindPlan = z.object({
  /** Items that come back from the trash. */
  back: z.int(),
  /** Items that move back to where they were. */
  moved: z.int(),
  /** Files whose former content comes back. */
  contents: z.int(),
  /** Items that were made since, and go to the trash. */
  trashed: z.int(),
  /** Items that stay, because they were changed since in another way, or what they need was not kept. */
  stay: z.int(),
  /** Up to 100 of them. */
  stays: z.array(z.object({ path: z.string(), why: z.enum(UNDO_OBSTACLES) })),
  /** Whether every item was compared with the files as they are now; the others are counted as possible. */
  checked: z.boolean(),
})
export type RewindPlan = z.infer<typeof RewindPlan>

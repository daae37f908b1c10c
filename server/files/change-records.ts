import type { AuditWay } from '../../shared/api/audit.ts'
import type { ChangeKind, KeptEnd, StepKind } from '../../shared/api/changes.ts'
import type { FilePath } from '../../shared/path.ts'

/** One effect on one path, as recorded. Paths are places in the served root. */
export interface Step {
  kind: StepKind
  place: FilePath
  /** For `move`: the new path. */
  target?: FilePath
  isFolder: boolean
  /** Identity of the entry before. */
  was?: string
  /** Identity of the entry after. */
  made?: string
  /** Of a file after it, see `stampOf`; of a folder that was made empty `EMPTY`. */
  stamp?: string
  /** The id of the kept thing: in the trash, or a version. */
  kept?: string
  /** Of a changed share link: its settings before and after; see `LinkRecords`. */
  settings?: string
  /** Bytes, for the total of the change. */
  size?: number
}

/** A file as it is now. */
export interface FileNow {
  identity: string
  /** In the served root. */
  place: FilePath
  size: number
  modified: number
}

/** A step that is to be written before its effect. */
export interface StepAhead {
  recording: Recording
  step: Step & { kept: string }
}

/** A step that was written before its effect, which is done now. */
export interface Settled {
  step: Step & { kept: string }
  /** What the step replaced a file with; the version that the old content became is complete, too. */
  now?: FileNow
}

/** A recorded step. `lost`: a killed process left it, and what it kept is not there. */
export interface StepRecord extends Omit<Step, 'size'> {
  change: string
  position: number
  /** In a change that undoes another one: the position of the step in that one. */
  reverts?: number
  state: 'open' | 'done' | 'undone' | 'lost'
}

/** Names a step. */
export type StepRef = Pick<StepRecord, 'change' | 'position'>

/** A step with what is known of its time. */
export interface TimedStep extends StepRecord {
  /** Milliseconds since the epoch: its row of the audit log, or the end of its change. */
  at: number
  endedAt: number
  /** The change that its change undid. */
  undoes?: string
  /** Where it was undone as a part of rewinding a folder. */
  rewound?: { by: string; at: number }
}

export interface ChangeRecord {
  /** A ULID. */
  id: string
  /** Milliseconds since the epoch: the first step, and the last. */
  at: number
  endedAt: number
  userId: number
  username: string
  way: string
  session: string
  /** The name that the visitor of a link gave; `''` for none. */
  visitor?: string
  kind: ChangeKind
  job?: string
  undoes?: string
  /** For an undo: what it undid, or with `again` what it did again; nothing once that is forgotten. */
  about?: { kind: ChangeKind; again: boolean }
  undoneBy?: string
  /** The deepest folder that holds all its paths. */
  folder: FilePath
  steps: number
  /** The number of steps that were not undone and can be. */
  undoable: number
  bytes: number
  /** Up to three names. */
  first: readonly string[]
  isOpen: boolean
}

export interface ChangeFilter {
  /** A folder of the served root, or a file. */
  under: FilePath
  userId?: number
  username?: string
  session?: string
  kind?: string
  undoable?: boolean
  /** Milliseconds since the epoch; `from` is inclusive, `to` exclusive. */
  from?: number
  to?: number
  /** The last id of the page before. */
  before?: string
}

/** A step, by its number in its change. */
export type StepAt = Pick<StepRecord, 'change' | 'position'>

/** A place of the served root in the time in which one file or folder had it. */
export interface TouchedPlace {
  place: FilePath
  /** Whether what is in the folder counts, too. */
  below: boolean
  /** The first step of that time. */
  from?: StepAt
  /** The step after the last one. */
  until?: StepAt
  /** Steps about folders above it that count, too. */
  also?: readonly StepAt[]
}

/** Where a step of a change that undoes another one leads in that one. */
export interface Undone {
  change: ChangeRecord
  step: StepRecord
}

/** What rewinding a folder has undone by one operation; `at`: the first position of its steps for that. */
export interface Rewound {
  steps: readonly StepRef[]
  at: number
}

/** The recorded changes; see `server/history`. */
export interface ChangeRecords {
  find(id: string): Promise<ChangeRecord | undefined>
  /** Newest first. */
  list(filter: ChangeFilter, limit: number): Promise<ChangeRecord[]>
  /** The steps of a change from a position, in order; newest first with `down`, up to the position. */
  steps(change: string, from: number, limit: number, down?: boolean): Promise<StepRecord[]>
  step(change: string, position: number): Promise<StepRecord | undefined>
  /**
   * Changes with a step at a place, newest first; `next` is the `before` to continue with where the call has looked at as
   * many changes as it may.
   */
  touching(
    where: TouchedPlace,
    filter: Omit<ChangeFilter, 'under'>,
    limit: number,
  ): Promise<{ changes: ChangeRecord[]; next?: string }>
  /** The steps of a change at a place, in order. */
  stepsTouching(change: string, where: TouchedPlace, limit: number): Promise<StepRecord[]>
  /** The newest step that made, moved, removed or restored what has one of some places. @param before an earlier one than this */
  relocation(places: readonly FilePath[], before: StepAt | undefined): Promise<StepRecord | undefined>
  /** The step that brought a thing into the trash. */
  trashStep(kept: string): Promise<StepRecord | undefined>
  /** How and when a thing went that is kept no longer, in milliseconds since the epoch. */
  ended(kept: string): Promise<{ how: KeptEnd; at: number } | undefined>
  /** The identity of the file that a recorded write put in the place of another one. */
  successor(place: FilePath, identity: string): Promise<string | undefined>
  /** The steps of all changes that acted at a path or below it after a time, in order; at most some. */
  after(time: number, under: FilePath, limit: number): Promise<TimedStep[]>
  /** What the change of a recording did so far. */
  own(recording: Recording): OwnSteps
  /** Writes what a recording holds, and notes which steps it undid. Durable. */
  write(recording: Recording, undone?: Undone | Rewound): Promise<void>
}

/** The steps of one change so far. */
export interface OwnSteps {
  /** The stamp of a file of an identity, as the newest step that made it left it. */
  stampOf(identity: string): Promise<string | undefined>
  /** The kept thing that the undo of a restoration left, as a part of rewinding a folder. */
  keptOf(restored: StepRef): Promise<string | undefined>
  /** The position of the next step. */
  next(): Promise<number>
}

/** The request or the job that changes files. */
export interface RecordingOrigin {
  way: AuditWay
  session: string
  /** The name that the visitor of a link gave; `''` for none. */
  visitor?: string
  /** An id that a client sends with all requests of one action. */
  gesture?: string | undefined
  job?: string | undefined
  /** What the change is, if its first step does not say it. */
  kind?: ChangeKind | undefined
}

/**
 * What one request, or one item of a job, changes: collected while it acts, and written with its row of the audit log.
 * `Files` fills it; the side that sends the response writes it.
 */
export class Recording {
  readonly origin: RecordingOrigin
  /** The user, known from the first step on. */
  owner: { id: number; username: string } | undefined
  kind: ChangeKind | undefined
  /** The id of the change, once it is written. */
  change: string | undefined
  /** The change that this one undoes, and of it the position of the step. */
  undoes: { change: ChangeRecord; position: number } | undefined
  /** Steps written since the last call of `begin`, also those in advance. */
  latest: Step[] = []
  /** Steps that were written in advance and have no row of the audit log yet, by the ids of their kept things. */
  ahead = new Map<string, Step>()
  /** Places of things whose records in the trash were taken to be written, and not announced yet. */
  #trashed: FilePath[] = []
  #settled: Settled[] = []
  #pending: Step[] = []
  #made: FilePath[] = []

  constructor(origin: RecordingOrigin) {
    this.origin = origin
    this.kind = origin.kind
  }

  /** Whether there is something to write. */
  get isPending(): boolean {
    return this.#pending.length > 0 || this.#settled.length > 0
  }

  /** Whether few steps wait to be completed; others are completed at once. */
  get hasRoom(): boolean {
    return this.#settled.length < MOST_SETTLED
  }

  /** Whether steps are written at the end in any case, as those of a request or of an item of a job. */
  get isWrittenAtEnd(): boolean {
    return this.origin.way !== 'console' && this.undoes === undefined
  }

  /** The effect of a step that was written in advance is done: the step is completed with the others. */
  settle(settled: Settled): void {
    this.#settled.push(settled)
  }

  /** A step that was written in advance did not happen. */
  forget(kept: string): void {
    const step = this.ahead.get(kept)
    this.ahead.delete(kept)
    this.latest = this.latest.filter(other => other !== step)
  }

  add(step: Step): void {
    this.#pending.push(step)
    this.latest.push(step)
  }

  /** Whether an entry lies in a folder that this recording made: the folder's step includes it. */
  covers(path: FilePath, isFolder: boolean): boolean {
    const folder = this.#made.find(made => path.startsWith(`${made}/`))
    if (folder === undefined) return false
    const step = isFolder ? undefined : this.#pending.find(({ place, stamp }) => place === folder && stamp === EMPTY)
    delete step?.stamp
    return true
  }

  /** Remembers a folder that is made. */
  cover(folder: FilePath): void {
    this.#made.push(folder)
  }

  /** Forgets it: another operation made it. */
  uncover(folder: FilePath): void {
    this.#made.splice(this.#made.indexOf(folder), 1)
  }

  /** Takes the steps whose effects are done, to be written in front of another one. */
  takePending(): readonly Step[] {
    const steps = this.#pending
    this.#pending = []
    return steps
  }

  /** Takes the places of things that came into the trash with what was taken so far. */
  takeTrashed(): readonly FilePath[] {
    const places = this.#trashed
    this.#trashed = []
    return places
  }

  /** Takes what is to be written: steps, and what is known of those that were written in advance. */
  take(): Taken {
    const settled = this.#settled
    const done = new Set(settled.map(({ step }) => step.kept))
    const ahead = [...this.ahead.keys()].filter(kept => !done.has(kept))
    const taken = { steps: this.takePending(), settled, ahead }
    this.#settled = []
    this.#trashed.push(...settled.flatMap(({ step }) => (step.kind === 'trash' ? step.place : [])))
    this.ahead = new Map()
    return taken
  }
}

/** What a recording has to write. */
export interface Taken {
  steps: readonly Step[]
  settled: readonly Settled[]
  /** Kept things whose steps were written in advance, and are complete or have failed. */
  ahead: readonly string[]
}

/** Steps that are completed in one transaction. */
const MOST_SETTLED = 50

/** The stamp of a folder that was made without any file in it. */
export const EMPTY = 'empty'

/** Size and modification time of a file: another value means that it was written to. */
export const stampOf = ({ size, modified }: { size: number; modified: number }): string => `${size}:${modified}`

import { setTimeout as pause } from 'node:timers/promises'
import { MAX_JOB_ITEMS } from '../../shared/api/jobs.ts'
import type { Db, JobItemsTable, JobsTable } from '../db/schema.ts'
import { AppError, asAppError, type ErrorCode } from '../errors.ts'
import {
  addItem,
  beat,
  endItems,
  endJob,
  listJournals,
  nextItems,
  type Owned,
  putBackJob,
  STOP,
  updateItems,
} from './jobs.store.ts'
import { Meter, type Progress } from './progress.ts'

/** Milliseconds between two signs of life. */
export const BEAT_EVERY = 1000
/** Milliseconds without an answer of the database after which others may take a job over, and it is let go of here. */
const LET_GO_AFTER = 3 * BEAT_EVERY
/** Milliseconds a job runs before what it has to do is counted: most are done by then. */
const COUNT_AFTER = 500
/** Milliseconds that a job waits for what says when to come back, as a store does that is away, with nothing done meanwhile. */
const COME_BACK_FOR = 10 * 60_000
/** Parts of one item that are told of by themselves. */
const MOST_PARTS = 1000

/** What somebody who works on an item may do beside the work. */
export interface Tools {
  /** Fires when the work is to stop, for good or until the next start. */
  signal: AbortSignal
  progress(done: { bytes?: number; entries?: number }): void
  /** What an earlier attempt wrote down. */
  noted: unknown
  /** Writes down what the next attempt has to know; durable when it settles. */
  note(now: unknown): Promise<void>
  /** Tells of a part of the item that failed while the rest goes on; of very many the first. */
  failed(part: FailedPart): Promise<void>
}

/** A member of an archive that could not be taken out. */
export interface FailedPart {
  /** As people see it. */
  member: string
  /** Where it would have gone. */
  target: string | undefined
  code: ErrorCode
}

export interface ItemResult {
  state: 'done' | 'skipped'
  /** Where it went, if that is not where it was meant to go. */
  target?: string
}

/** Whoever knows what the kinds of jobs mean. */
export interface Worker {
  /** Items that are written down together before they are worked on. */
  batch(job: JobsTable): number
  /** What is written down of an item before it is worked on. @throws JobOver */
  prepare(job: JobsTable, item: JobItemsTable): Promise<unknown>
  /** Works on one item. @throws AppError its result; JobOver */
  work(job: JobsTable, item: JobItemsTable, tools: Tools): Promise<ItemResult>
  /** How much there is to do in all, where that can be known. */
  measure(job: JobsTable, signal: AbortSignal): Promise<{ bytes: number; entries: number } | undefined>
  /** Clears up what an item left that will not be gone on with. */
  discard(job: JobsTable, item: JobItemsTable): Promise<void>
}

/** Ends a whole job, because of who it belongs to. */
export class JobOver extends AppError {}

/** Why a signal fires. */
export const STOPPED = new AppError('incomplete_body', 'the job was cancelled')
export const PAUSED = new AppError('incomplete_body', 'the job is paused')
export const SHUTDOWN = new AppError('incomplete_body', 'the server stops')
const LOST = new AppError('incomplete_body', 'the job is, or will be, another’s')

export interface RunDeps {
  db: Db
  owner: string
  worker: Worker
  /** See `JobsDeps`. */
  alone: boolean
  now: () => number
}

/** One job being worked on by this process. */
export class Run {
  readonly #deps: RunDeps
  readonly #job: JobsTable
  readonly #stop = new AbortController()
  readonly #meter: Meter
  readonly #owned: Owned
  #heardAt: number
  /** Until when it is waited for what is away; nothing while all goes well. */
  #waitsUntil: number | undefined

  constructor(deps: RunDeps, job: JobsTable) {
    this.#deps = deps
    this.#job = job
    this.#owned = { id: job.id, owner: deps.owner }
    this.#heardAt = deps.now()
    const before: Progress = JSON.parse(job.progress)
    this.#meter = new Meter(before)
    this.#obey(job.stop)
  }

  get userId(): number {
    return this.#job.user_id
  }

  get progress(): Progress {
    return this.#meter.now
  }

  stop(reason: AppError): void {
    this.#stop.abort(reason)
  }

  /** Works until there is a result for every item, or the job is stopped. Never fails. */
  async work(): Promise<void> {
    const { db, now } = this.#deps
    const pulse = setInterval(() => void this.#beat(), BEAT_EVERY)
    const counting = setTimeout(() => void this.#count(), COUNT_AFTER)
    try {
      const over = await this.#workThrough()
      if (!(await this.#isOurs())) return
      const left = (await nextItems(db, this.#job.id, 1)).length > 0
      if (left && !over && this.#isToGoOn) return await putBackJob(db, this.#owned, this.#meter.now)
      if (left) await this.#giveUp()
      const progress = JSON.stringify(this.#meter.now)
      await endJob(db, this.#owned, { ...endOf(left, over), ended_at: now(), progress })
    } catch {
      // The database refused: another look at the job comes with the next start, or when its signs of life are missed.
    } finally {
      clearInterval(pulse)
      clearTimeout(counting)
      this.#stop.abort(STOPPED)
    }
  }

  async #workThrough(): Promise<JobOver | undefined> {
    const { db, worker } = this.#deps
    const job = this.#job
    try {
      while (!this.#stop.signal.aborted) {
        const items = await nextItems(db, job.id, worker.batch(job))
        if (items.length === 0) return undefined
        await this.#workOn(items)
      }
    } catch (thrown) {
      if (thrown instanceof JobOver) return thrown
      throw thrown
    }
    return undefined
  }

  async #workOn(items: readonly JobItemsTable[]): Promise<void> {
    const { worker } = this.#deps
    const begun: JobItemsTable[] = []
    for (const item of items) {
      if (item.state === 'running') begun.push(item)
      else begun.push({ ...item, state: 'running', journal: JSON.stringify(await worker.prepare(this.#job, item)) })
    }
    await this.#write(begun)
    const ended: JobItemsTable[] = []
    try {
      for (const [index, item] of begun.entries()) {
        if (this.#stop.signal.aborted) break
        const result = await this.#workOnOne(item, items[index]?.state === 'running')
        if (result) ended.push(result)
      }
    } finally {
      await this.#write(ended)
    }
  }

  /** @returns the item with its result; nothing when it has none because everything stops */
  async #workOnOne(item: JobItemsTable, again: boolean): Promise<JobItemsTable | undefined> {
    const { worker } = this.#deps
    const { signal } = this.#stop
    const current = { ...item }
    const parts = new Set(again ? await listJournals(this.#deps.db, item.job_id, firstPart(item)) : [])
    const tools: Tools = {
      signal,
      progress: done => this.#meter.add(done),
      noted: again ? notedIn(item) : undefined,
      note: now => {
        current.journal = JSON.stringify(now)
        return this.#write([current])
      },
      failed: async part => {
        const row = partOf(item, parts.size, part)
        if (parts.size >= MOST_PARTS || parts.has(row.journal)) return
        parts.add(row.journal)
        await addItem(this.#deps.db, row)
      },
    }
    for (;;) {
      try {
        const { state, target = item.target } = await worker.work(this.#job, item, tools)
        this.#meter.settle()
        this.#waitsUntil = undefined
        return { ...current, state, target, journal: null }
      } catch (thrown) {
        this.#meter.rewind()
        if (thrown instanceof JobOver) throw thrown
        const { code, wait } = asAppError(thrown)
        // It may be the database that is away, and with it everybody's turns.
        if (signal.aborted || (code === 'unavailable' && !(await this.#isOurs()))) return undefined
        if (code !== 'unavailable' || !(await this.#waits(wait))) {
          await worker.discard(this.#job, current).catch(() => {})
          return { ...current, state: 'failed', code, journal: null }
        }
        if (signal.aborted) return undefined
        tools.noted = notedIn(current)
      }
    }
  }

  /** Waits for what is away, if it said for how long and that is not too long by now. @returns whether to try again */
  async #waits(wait: number | undefined): Promise<boolean> {
    if (wait === undefined) return false
    const now = this.#deps.now()
    this.#waitsUntil ??= now + COME_BACK_FOR
    if (now + wait > this.#waitsUntil) return false
    await pause(wait, undefined, { signal: this.#stop.signal }).catch(() => {})
    return true
  }

  get #isToGoOn(): boolean {
    const { reason } = this.#stop.signal
    return reason === SHUTDOWN || reason === PAUSED
  }

  async #giveUp(): Promise<void> {
    const { db, worker } = this.#deps
    const [item] = await nextItems(db, this.#job.id, 1)
    if (item?.state === 'running') await worker.discard(this.#job, item).catch(() => {})
    await endItems(db, this.#job.id, 'cancelled')
  }

  async #beat(): Promise<void> {
    const { db, alone, now } = this.#deps
    try {
      const wanted = await beat(db, this.#owned, now(), this.#meter.now)
      if (wanted === undefined) return this.stop(LOST)
      this.#heardAt = now()
      this.#obey(wanted)
    } catch {
      if (!alone && now() - this.#heardAt >= LET_GO_AFTER) this.stop(LOST)
    }
  }

  /** Writes items down, unless the job is another's by now: then nothing here counts any more. */
  async #write(items: readonly JobItemsTable[]): Promise<void> {
    if (await updateItems(this.#deps.db, this.#owned, items)) return
    this.stop(LOST)
    throw LOST
  }

  /** Whether the job is still this process's, as far as the database can tell; lets go of it if not. */
  async #isOurs(): Promise<boolean> {
    const { db, now } = this.#deps
    const wanted = await beat(db, this.#owned, now(), this.#meter.now).catch(() => undefined)
    if (wanted === undefined) this.stop(LOST)
    return this.#stop.signal.reason !== LOST
  }

  #obey(stop: number): void {
    if (stop === STOP.forGood) this.stop(STOPPED)
    if (stop === STOP.forNow) this.stop(PAUSED)
  }

  async #count(): Promise<void> {
    if (this.#meter.now.entriesTotal !== undefined) return
    const total = await this.#deps.worker.measure(this.#job, this.#stop.signal).catch(() => undefined)
    if (total) this.#meter.total(total)
  }
}

/** How a job ended. Whoever wanted it to stop may have written down why. */
function endOf(left: boolean, over: JobOver | undefined): Partial<JobsTable> {
  if (!left) return { state: 'done', code: null }
  return { state: 'cancelled', ...(over ? { code: over.code } : {}) }
}

const notedIn = ({ journal }: JobItemsTable): unknown => (journal === null ? undefined : JSON.parse(journal))

/** Where the parts of an item stand: behind all items. */
const firstPart = ({ position }: JobItemsTable) => ({
  start: MAX_JOB_ITEMS + position * MOST_PARTS,
  count: MOST_PARTS,
})

/** A part as an item of its own. */
function partOf(item: JobItemsTable, part: number, { member, target, code }: FailedPart) {
  return {
    job_id: item.job_id,
    position: firstPart(item).start + part,
    source: item.source,
    target: target ?? null,
    conflict: null,
    state: 'failed' as const,
    code,
    journal: JSON.stringify({ member }),
  }
}

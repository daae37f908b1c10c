import { setTimeout as pause } from 'node:timers/promises'
import { MAX_JOB_ITEMS } from '../../shared/api/jobs.ts'
import type { Db, JobItemsTable, JobsTable } from '../db/schema.ts'
import { AppError, asAppError, type ErrorCode } from '../errors.ts'
import {
  type AlongEnd,
  addItem,
  endItems,
  endJob,
  listJournals,
  nextItems,
  type Owned,
  releaseJob,
  STOP,
  updateItems,
  writeHeartbeat,
} from './jobs.store.ts'
import { Meter, type Progress } from './progress.ts'

/** Milliseconds between two heartbeats. */
export const HEARTBEAT_EVERY = 1000
/**
 * Milliseconds without an answer of the database after which others may take a job over, and this process releases it.
 */
const LET_GO_AFTER = 3 * HEARTBEAT_EVERY
/** Milliseconds a job runs before its total is counted: most are done by then. */
const COUNT_AFTER = 500
/** Milliseconds that a job retries an error with a retry time, such as an unavailable store, without any progress. */
const RETRY_FOR = 10 * 60_000
/** The most parts of one item that are reported. */
const MOST_PARTS = 1000

/** What the handler of an item may use. */
export interface Tools {
  /** Fires when the work must stop, for good or until the next start. */
  signal: AbortSignal
  progress(done: { bytes?: number; entries?: number }): void
  /** What an earlier attempt recorded. */
  noted: unknown
  /** Records what the next attempt has to know; durable when it settles. */
  note(now: unknown): Promise<void>
  /** Reports a part of the item that failed while the rest continues; of very many only the first. */
  failed(part: FailedPart): Promise<void>
}

/** An entry of an archive that could not be extracted, or one of a folder that could not be copied. */
export interface FailedPart {
  /** As displayed; in a folder its path there. */
  member: string
  /** Its intended path. */
  target: string | undefined
  code: ErrorCode
}

export interface ItemResult {
  state: 'done' | 'skipped'
  /** The path of the result, if it is not the requested one. */
  target?: string
  /** The id of the thing in the trash, if the item went there; of what it replaced see `Written.kept`. */
  kept?: string
}

/** Implements the kinds of jobs. */
export interface Worker {
  /** Items that are recorded together before they are worked on. */
  batch(job: JobsTable): number
  /** What is recorded of an item before it is worked on. @throws JobOver */
  prepare(job: JobsTable, item: JobItemsTable): Promise<unknown>
  /** Works on one item. @throws AppError its result; JobOver */
  work(job: JobsTable, item: JobItemsTable, tools: Tools): Promise<ItemResult>
  /** The total work, where it can be known. */
  measure(job: JobsTable, signal: AbortSignal): Promise<{ bytes: number; entries: number } | undefined>
  /** Cleans up after an item that will not be resumed. */
  discard(job: JobsTable, item: JobItemsTable): Promise<void>
}

/** Ends a whole job, because of its owner's state. */
export class JobOver extends AppError {}

/** Reasons of an abort signal. */
export const STOPPED = new AppError('incomplete_body', 'the job was cancelled')
export const PAUSED = new AppError('incomplete_body', 'the job is paused')
export const SHUTDOWN = new AppError('incomplete_body', 'the server is shutting down')
const LOST = new AppError('incomplete_body', 'another process has taken the job over, or will')

export interface RunDeps {
  db: Db
  owner: string
  worker: Worker
  /** See `JobsDeps`. */
  isOnlyServer: boolean
  alongEnd: readonly AlongEnd[] | undefined
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
  /** The deadline of the retries; `undefined` without a failure. */
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

  /** Works until every item has a result, or the job is stopped. Never throws. */
  async work(): Promise<void> {
    const { db, now, alongEnd } = this.#deps
    const heartbeats = setInterval(() => void this.#writeHeartbeat(), HEARTBEAT_EVERY)
    const counting = setTimeout(() => void this.#count(), COUNT_AFTER)
    try {
      const over = await this.#workThrough()
      if (!(await this.#isOurs())) return
      const left = (await nextItems(db, this.#job.id, 1)).length > 0
      if (left && !over && this.#isToGoOn) return await releaseJob(db, this.#owned, this.#meter.now)
      if (left) await this.#giveUp()
      const progress = JSON.stringify(this.#meter.now)
      await endJob(db, this.#owned, { ...endOf(left, over), ended_at: now(), progress }, alongEnd)
    } catch {
      // The database failed: the job is claimed again at the next start, or when its heartbeats are missed.
    } finally {
      clearInterval(heartbeats)
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

  /** @returns the item with its result; `undefined` when it has none because the run stops */
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
        const { state, target = item.target, kept } = await worker.work(this.#job, item, tools)
        this.#meter.settle()
        this.#waitsUntil = undefined
        return { ...current, state, target, journal: kept === undefined ? null : JSON.stringify({ kept }) }
      } catch (thrown) {
        this.#meter.rewind()
        if (thrown instanceof JobOver) throw thrown
        const { code, wait, bytes } = asAppError(thrown)
        // The database may be unavailable, so that the claim on the job is uncertain.
        if (signal.aborted || (code === 'unavailable' && !(await this.#isOurs()))) return undefined
        if (code !== 'unavailable' || !(await this.#waits(wait))) {
          await worker.discard(this.#job, current).catch(() => {})
          return { ...current, state: 'failed', code, journal: bytes === undefined ? null : JSON.stringify({ bytes }) }
        }
        if (signal.aborted) return undefined
        tools.noted = notedIn(current)
      }
    }
  }

  /** Waits out an unavailable service, if it gave a retry time and the deadline allows it. @returns whether to retry */
  async #waits(wait: number | undefined): Promise<boolean> {
    if (wait === undefined) return false
    const now = this.#deps.now()
    this.#waitsUntil ??= now + RETRY_FOR
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

  async #writeHeartbeat(): Promise<void> {
    const { db, isOnlyServer, now } = this.#deps
    try {
      const wanted = await writeHeartbeat(db, this.#owned, now(), this.#meter.now)
      if (wanted === undefined) return this.stop(LOST)
      this.#heardAt = now()
      this.#obey(wanted)
    } catch {
      if (!isOnlyServer && now() - this.#heardAt >= LET_GO_AFTER) this.stop(LOST)
    }
  }

  /** Writes items, unless the job belongs to another process by now: then the results are void. */
  async #write(items: readonly JobItemsTable[]): Promise<void> {
    if (await updateItems(this.#deps.db, this.#owned, items)) return
    this.stop(LOST)
    throw LOST
  }

  /** Whether the job still belongs to this process, as far as the database is reachable; releases it if not. */
  async #isOurs(): Promise<boolean> {
    const { db, now } = this.#deps
    const wanted = await writeHeartbeat(db, this.#owned, now(), this.#meter.now).catch(() => undefined)
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

/** How a job ended. The request to stop may have stored the reason. */
function endOf(left: boolean, over: JobOver | undefined): Partial<JobsTable> {
  if (!left) return { state: 'done', code: null }
  return { state: 'cancelled', ...(over ? { code: over.code } : {}) }
}

const notedIn = ({ journal }: JobItemsTable): unknown => (journal === null ? undefined : JSON.parse(journal))

/** The positions of an item's parts: after all items. */
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

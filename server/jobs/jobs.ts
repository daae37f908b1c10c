import { randomBytes } from 'node:crypto'
import type { AuditWay } from '../../shared/api/audit.ts'
import type { ConflictChoice } from '../../shared/conflicts.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Db, JobItemsTable, JobsTable } from '../db/schema.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { JobKind, JobPayloads } from './job-kinds.ts'
import {
  type AlongEnd,
  claimJob,
  countOpenJobs,
  deleteJob,
  deleteJobsEndedBefore,
  findDueJobs,
  findJob,
  insertJob,
  nextDue,
  oldestHeartbeat,
  pauseJob,
  releaseJobs,
  resumeJob,
  STOP,
  stopJob,
  stopJobsOf,
  type WhichJobs,
} from './jobs.store.ts'
import { NO_PROGRESS, type Progress } from './progress.ts'
import { HEARTBEAT_EVERY, PAUSED, Run, SHUTDOWN, STOPPED, type Worker } from './run.ts'

/** Concurrent jobs in this process. */
const MAX_RUNNING = LIMITS.runningJobs
/** Of these, jobs of one user. */
const MAX_RUNNING_OF_USER = LIMITS.runningJobsOfUser
/** Jobs of one user that wait or run. */
export const MAX_OPEN_JOBS = LIMITS.jobs
/** Milliseconds without a heartbeat after which a job is taken over. */
const LOST_AFTER = 5 * HEARTBEAT_EVERY
/** The longest interval between two polls for jobs, in milliseconds. */
const POLL_EVERY = 30_000
/** Milliseconds for which ended jobs are kept. */
const KEPT_FOR = 7 * 86_400_000
/** Milliseconds after its end in which a job may be about to be notified of. */
const NEWS = 2 * LIMITS.jobMailTime
/** Milliseconds between two progress messages. */
const PUBLISH_EVERY = 500

export interface NewItem {
  source: string
  target?: string
  conflict?: ConflictChoice
  /** Why it cannot be done, if that is known already. */
  refused?: ErrorCode
}

/** How the owner of a job signed in, and from where. */
export interface JobOrigin {
  way: AuditWay
  address: string
}

export interface NewJob<N extends JobKind> {
  kind: N
  payload: JobPayloads[N]
  userId: number
  sessionId: string
  scope: string
  /** The origin of the request. */
  origin?: JobOrigin
  items: readonly NewItem[]
  /** Milliseconds since the epoch; at once unless given. */
  runAt?: number
}

export interface JobsDeps {
  db: Db
  cluster: Cluster
  worker: Worker
  /** No other process uses this database: jobs running at the start have lost their process. */
  isOnlyServer: boolean
  alongEnd?: readonly AlongEnd[]
  now?: () => number
}

type JobKey = Pick<JobsTable, 'id' | 'user_id'>

/**
 * Work that outlives its request: rows in the database, which any process can claim. A process that dies is detected by
 * its missing heartbeats, and its jobs are resumed by others.
 */
export class Jobs {
  readonly #deps: JobsDeps
  readonly #now: () => number
  readonly #owner = randomBytes(8).toString('hex')
  readonly #running = new Map<string, { run: Run; done: Promise<void> }>()
  #timer: NodeJS.Timeout | undefined
  #telling: NodeJS.Timeout | undefined
  #uncalled = () => {}
  #polling: Promise<void> | undefined
  #again = false
  #closed = true

  constructor(deps: JobsDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
  }

  /** Begins to work on due jobs, also on those of an earlier process. */
  async start(): Promise<void> {
    this.#closed = false
    if (this.#deps.isOnlyServer) await releaseJobs(this.#deps.db)
    this.#uncalled = this.#deps.cluster.subscribe('job.waiting', () => this.#poll())
    this.#poll()
    this.#telling = setInterval(() => {
      for (const [id, { run }] of this.#running) this.#publish(id, run.userId)
    }, PUBLISH_EVERY).unref()
  }

  /** Stores a job, and begins it if it is due. @returns its id @throws too_many_attempts */
  async enqueue<N extends JobKind>(job: NewJob<N>): Promise<string> {
    const { db } = this.#deps
    if ((await countOpenJobs(db, job.userId)) >= MAX_OPEN_JOBS) throw new AppError('too_many_attempts')
    const row = this.#rowOf(job)
    await insertJob(
      db,
      row,
      job.items.map((item, position) => itemOf(row.id, position, item)),
    )
    this.#publish(row.id, job.userId)
    this.#notify()
    return row.id
  }

  /**
   * Waits at most `within` milliseconds for a job to end, or to be released, wherever it runs.
   * @param given ends the wait
   */
  async settled(id: string, within: number, given?: AbortSignal): Promise<void> {
    const { db, cluster } = this.#deps
    const { promise, resolve } = Promise.withResolvers<void>()
    const poll = async () => {
      const job = await findJob(db, id)
      if (!job || job.ended_at !== null || job.state === 'paused') resolve()
    }
    const unsubscribe = cluster.subscribe('job.changed', changed => {
      if (changed.id === id) poll().catch(() => {})
    })
    const timer = setTimeout(resolve, within)
    given?.addEventListener('abort', () => resolve(), { once: true })
    try {
      await poll()
      if (given?.aborted) return
      await promise
    } finally {
      clearTimeout(timer)
      unsubscribe()
    }
  }

  /** The progress of a job that runs in this process. */
  progressOf(id: string): Progress | undefined {
    return this.#running.get(id)?.run.progress
  }

  /** Cancels a job that has not ended; finished items stay done. */
  async cancel(id: string): Promise<void> {
    await stopJob(this.#deps.db, id)
    this.#running.get(id)?.run.stop(STOPPED)
    this.#notify()
  }

  /** Interrupts a job that has not ended, or keeps it from beginning, until it is resumed. */
  async pause({ id, user_id }: JobKey): Promise<void> {
    await pauseJob(this.#deps.db, id)
    this.#running.get(id)?.run.stop(PAUSED)
    this.#publish(id, user_id)
  }

  /** Resumes a job; an interrupted item is resumed, or begins again. */
  async resume({ id, user_id }: JobKey): Promise<void> {
    await resumeJob(this.#deps.db, id)
    this.#publish(id, user_id)
    this.#notify()
  }

  /** Cancels the jobs of sessions that have ended; scheduled jobs stay unless they are selected, too. */
  async cancelAll(userId: number, which: WhichJobs): Promise<void> {
    for (const id of await stopJobsOf(this.#deps.db, userId, which)) this.#running.get(id)?.run.stop(STOPPED)
    this.#notify()
  }

  /** The user of a job has seen its state: an end that was just reached needs no other notice. */
  seen({ id, ended_at }: Pick<JobsTable, 'id' | 'ended_at'>): void {
    const isNews = ended_at !== null && ended_at > this.#now() - NEWS
    if (isNews) this.#deps.cluster.publish('job.seen', { id })
  }

  /** Deletes a job that has ended. */
  async forget({ id, user_id }: JobKey): Promise<void> {
    await deleteJob(this.#deps.db, id)
    this.#publish(id, user_id)
  }

  /** Interrupts the running jobs, which can be resumed. */
  async close(): Promise<void> {
    this.#closed = true
    this.#uncalled()
    clearTimeout(this.#timer)
    clearInterval(this.#telling)
    await this.#polling
    for (const { run } of this.#running.values()) run.stop(SHUTDOWN)
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  /** Notifies all workers, here and in other instances, that a job may be due. */
  #notify(): void {
    this.#deps.cluster.publish('job.waiting', {})
  }

  /** Polls for due jobs; once more if it is called during a poll. */
  #poll(): void {
    if (this.#closed) return
    if (this.#polling) {
      this.#again = true
      return
    }
    this.#polling = this.#begin()
      .catch(() => POLL_EVERY)
      .then(wait => {
        this.#polling = undefined
        if (this.#closed) return
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.#poll(), this.#again ? 0 : wait).unref()
        this.#again = false
      })
  }

  /** Claims due jobs, as far as there are free slots. @returns milliseconds until the next poll */
  async #begin(): Promise<number> {
    const { db } = this.#deps
    const now = this.#now()
    const lost = now - LOST_AFTER
    for (const { id, user_id, stop } of await findDueJobs(db, now, lost)) {
      if (this.#closed || this.#running.size >= MAX_RUNNING) break
      if (this.#running.has(id) || (stop === STOP.no && this.#runningOf(user_id) >= MAX_RUNNING_OF_USER)) continue
      if (await claimJob(db, id, this.#owner, now, lost)) await this.#run(id)
    }
    await deleteJobsEndedBefore(db, now - KEPT_FOR)
    const due = (await nextDue(db, now)) ?? Number.POSITIVE_INFINITY
    const heartbeat = (await oldestHeartbeat(db, this.#owner)) ?? Number.POSITIVE_INFINITY
    return Math.max(0, Math.min(now + POLL_EVERY, due, heartbeat + LOST_AFTER + 1) - this.#now())
  }

  #runningOf(userId: number): number {
    return [...this.#running.values()].filter(({ run }) => run.userId === userId).length
  }

  async #run(id: string): Promise<void> {
    const { db, worker, isOnlyServer, alongEnd } = this.#deps
    const job = await findJob(db, id)
    if (!job) return
    const run = new Run({ db, owner: this.#owner, worker, isOnlyServer, alongEnd, now: this.#now }, job)
    const done = run.work().then(() => {
      this.#running.delete(id)
      this.#publish(id, job.user_id)
      this.#poll()
    })
    this.#running.set(id, { run, done })
  }

  #publish(id: string, userId: number): void {
    this.#deps.cluster.publish('job.changed', { id, userId })
  }

  #rowOf<N extends JobKind>({ kind, payload, userId, sessionId, scope, runAt, origin }: NewJob<N>): JobsTable {
    const now = this.#now()
    return {
      id: randomBytes(16).toString('base64url'),
      kind,
      user_id: userId,
      session_id: sessionId,
      scope,
      payload: JSON.stringify(payload),
      state: 'waiting',
      code: null,
      stop: STOP.no,
      created_at: now,
      run_at: runAt ?? now,
      started_at: null,
      ended_at: null,
      owner: null,
      heartbeat: 0,
      progress: JSON.stringify(NO_PROGRESS),
      origin: JSON.stringify(origin ?? {}),
    }
  }
}

function itemOf(jobId: string, position: number, { source, target, conflict, refused }: NewItem): JobItemsTable {
  return {
    job_id: jobId,
    position,
    source,
    target: target ?? null,
    conflict: conflict ?? null,
    state: refused ? 'failed' : 'waiting',
    code: refused ?? null,
    journal: null,
  }
}

import { randomBytes } from 'node:crypto'
import type { AuditWay } from '../../shared/api/audit.ts'
import type { ConflictChoice } from '../../shared/conflicts.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { Db, JobItemsTable, JobsTable } from '../db/schema.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import type { JobMap, JobName } from './job-map.ts'
import {
  claimJob,
  countOpenJobs,
  deleteJob,
  deleteJobsEndedBefore,
  findDueJobs,
  findJob,
  insertJob,
  nextDue,
  oldestBeat,
  pauseJob,
  releaseJobs,
  resumeJob,
  STOP,
  stopJob,
  stopJobsOf,
  type WhichJobs,
} from './jobs.store.ts'
import { NO_PROGRESS, type Progress } from './progress.ts'
import { BEAT_EVERY, PAUSED, Run, SHUTDOWN, STOPPED, type Worker } from './run.ts'

/** Jobs that run at a time in this process. */
const MAX_RUNNING = LIMITS.runningJobs
/** Of these, jobs of one user. */
const MAX_RUNNING_OF_USER = LIMITS.runningJobsOfUser
/** Jobs of one user that wait or run. */
export const MAX_OPEN_JOBS = LIMITS.jobs
/** Milliseconds without a sign of life after which a job is taken over. */
const LOST_AFTER = 5 * BEAT_EVERY
/** Milliseconds between two looks for jobs at the latest. */
const LOOK_EVERY = 30_000
/** Milliseconds that ended jobs are told of. */
const KEPT_FOR = 7 * 86_400_000
/** Milliseconds between two messages about how far a job is. */
const TELL_EVERY = 500

export interface NewItem {
  source: string
  target?: string
  conflict?: ConflictChoice
  /** Why it cannot be done, if that is known already. */
  refused?: ErrorCode
}

/** How somebody came in who ordered a job, and from where. */
export interface JobOrigin {
  way: AuditWay
  address: string
}

export interface NewJob<N extends JobName> {
  kind: N
  payload: JobMap[N]
  userId: number
  sessionId: string
  scope: string
  /** Where the order comes from. */
  origin?: JobOrigin
  items: readonly NewItem[]
  /** Milliseconds since the epoch; at once unless given. */
  runAt?: number
}

export interface JobsDeps {
  db: Db
  cluster: Cluster
  worker: Worker
  /** No other process works on this database: what runs at the start has lost its process. */
  alone: boolean
  now?: () => number
}

type JobKey = Pick<JobsTable, 'id' | 'user_id'>

/**
 * Work that outlives the request that asked for it: rows in the database, worked on by whichever process takes them. A
 * process that ends without a word is noticed by its missing signs of life, and its jobs are gone on with.
 */
export class Jobs {
  readonly #deps: JobsDeps
  readonly #now: () => number
  readonly #owner = randomBytes(8).toString('hex')
  readonly #running = new Map<string, { run: Run; done: Promise<void> }>()
  #timer: NodeJS.Timeout | undefined
  #telling: NodeJS.Timeout | undefined
  #uncalled = () => {}
  #looking: Promise<void> | undefined
  #again = false
  #closed = true

  constructor(deps: JobsDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
  }

  /** Begins to work on what is due, also on what an earlier process left. */
  async start(): Promise<void> {
    this.#closed = false
    if (this.#deps.alone) await releaseJobs(this.#deps.db)
    this.#uncalled = this.#deps.cluster.subscribe('job.waiting', () => this.#look())
    this.#look()
    this.#telling = setInterval(() => {
      for (const [id, { run }] of this.#running) this.#tell(id, run.userId)
    }, TELL_EVERY).unref()
  }

  /** Writes a job down, and begins it if it is due. @returns its id @throws too_many_attempts */
  async enqueue<N extends JobName>(job: NewJob<N>): Promise<string> {
    const { db } = this.#deps
    if ((await countOpenJobs(db, job.userId)) >= MAX_OPEN_JOBS) throw new AppError('too_many_attempts')
    const row = this.#rowOf(job)
    await insertJob(
      db,
      row,
      job.items.map((item, position) => itemOf(row.id, position, item)),
    )
    this.#tell(row.id, job.userId)
    this.#call()
    return row.id
  }

  /** Waits so many milliseconds at most for a job to end, or to be let go of, wherever it runs. */
  async settled(id: string, within: number): Promise<void> {
    const { db, cluster } = this.#deps
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = async () => {
      const job = await findJob(db, id)
      if (!job || job.ended_at !== null || job.state === 'paused') resolve()
    }
    const unsubscribe = cluster.subscribe('job.changed', changed => {
      if (changed.id === id) look().catch(() => {})
    })
    const timer = setTimeout(resolve, within)
    try {
      await look()
      await promise
    } finally {
      clearTimeout(timer)
      unsubscribe()
    }
  }

  /** How far a job is that runs in this process. */
  progressOf(id: string): Progress | undefined {
    return this.#running.get(id)?.run.progress
  }

  /** Stops a job that has not ended; what is done stays done. */
  async cancel(id: string): Promise<void> {
    await stopJob(this.#deps.db, id)
    this.#running.get(id)?.run.stop(STOPPED)
    this.#call()
  }

  /** Interrupts a job that has not ended, or keeps it from beginning, until it is resumed. */
  async pause({ id, user_id }: JobKey): Promise<void> {
    await pauseJob(this.#deps.db, id)
    this.#running.get(id)?.run.stop(PAUSED)
    this.#tell(id, user_id)
  }

  /** Lets a job go on where it was interrupted; an item that was under way goes on, or begins anew. */
  async resume({ id, user_id }: JobKey): Promise<void> {
    await resumeJob(this.#deps.db, id)
    this.#tell(id, user_id)
    this.#call()
  }

  /** Stops what a user has asked for in sessions that have ended; jobs for later stay unless they are meant, too. */
  async cancelAll(userId: number, which: WhichJobs): Promise<void> {
    for (const id of await stopJobsOf(this.#deps.db, userId, which)) this.#running.get(id)?.run.stop(STOPPED)
    this.#call()
  }

  /** Forgets a job that has ended. */
  async forget({ id, user_id }: JobKey): Promise<void> {
    await deleteJob(this.#deps.db, id)
    this.#tell(id, user_id)
  }

  /** Interrupts what runs, so that it can be gone on with. */
  async close(): Promise<void> {
    this.#closed = true
    this.#uncalled()
    clearTimeout(this.#timer)
    clearInterval(this.#telling)
    await this.#looking
    for (const { run } of this.#running.values()) run.stop(SHUTDOWN)
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  /** Tells whoever works on jobs, here and elsewhere, that one may be due. */
  #call(): void {
    this.#deps.cluster.publish('job.waiting', {})
  }

  /** Looks for jobs that are due; once more if somebody asks for it meanwhile. */
  #look(): void {
    if (this.#closed) return
    if (this.#looking) {
      this.#again = true
      return
    }
    this.#looking = this.#begin()
      .catch(() => LOOK_EVERY)
      .then(wait => {
        this.#looking = undefined
        if (this.#closed) return
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.#look(), this.#again ? 0 : wait).unref()
        this.#again = false
      })
  }

  /** Takes what is due, as far as there is room. @returns milliseconds until the next look */
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
    const beat = (await oldestBeat(db, this.#owner)) ?? Number.POSITIVE_INFINITY
    return Math.max(0, Math.min(now + LOOK_EVERY, due, beat + LOST_AFTER + 1) - this.#now())
  }

  #runningOf(userId: number): number {
    return [...this.#running.values()].filter(({ run }) => run.userId === userId).length
  }

  async #run(id: string): Promise<void> {
    const { db, worker, alone } = this.#deps
    const job = await findJob(db, id)
    if (!job) return
    const run = new Run({ db, owner: this.#owner, worker, alone, now: this.#now }, job)
    const done = run.work().then(() => {
      this.#running.delete(id)
      this.#tell(id, job.user_id)
      this.#look()
    })
    this.#running.set(id, { run, done })
  }

  #tell(id: string, userId: number): void {
    this.#deps.cluster.publish('job.changed', { id, userId })
  }

  #rowOf<N extends JobName>({ kind, payload, userId, sessionId, scope, runAt, origin }: NewJob<N>): JobsTable {
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

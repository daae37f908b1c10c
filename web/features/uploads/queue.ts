import { MAX_CONCURRENT_UPLOADS, UPLOAD_PROGRESS_INTERVAL } from '../../../shared/limits.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Decision } from '../files/operations/conflicts/conflict.ts'
import { afterFailure } from './failure.ts'
import { type JobFailure, NO_TOTALS, type Pause, targetOf, type UploadJob, type UploadTotals } from './job.ts'
import { type Outcome, send } from './send.ts'
import { count, countEnded } from './totals.ts'
import type { Transport } from './transport-types.ts'

/** The queue as rendered; a new object for every change. */
export interface UploadSnapshot {
  /** All unfinished jobs, in the order they were added. */
  jobs: readonly UploadJob[]
  totals: UploadTotals
  paused: Pause | undefined
}

/** Input for a new job. `failure` marks an unreadable file; `known` an interrupted upload. */
export type NewJob = Pick<UploadJob, 'path' | 'file' | 'existing'> & {
  failure?: JobFailure | undefined
  known?: Pick<UploadJob, 'begun' | 'decision' | 'copy'>
}

/** The result of a run: no job is queued, active or waiting for a decision any more. */
export type SettledReport = Pick<UploadTotals, 'done' | 'skipped' | 'failed'>

/** Milliseconds between two probes of the server after a lost connection: initially, and at most. */
const PROBE_INTERVAL = { first: 1000, longest: 15_000 }

/**
 * Sends files and folders, five concurrently, in order. Progress is published at most every 100 ms. Lives outside
 * React, so that leaving a screen stops nothing.
 */
export class UploadQueue {
  readonly #transport: Transport
  readonly #jobs = new Map<string, UploadJob>()
  readonly #aborts = new Map<string, AbortController>()
  readonly #listeners = new Set<() => void>()
  readonly #arrivalListeners = new Set<(path: FilePath, job: UploadJob) => void>()
  readonly #settledListeners = new Set<(report: SettledReport) => void>()
  #waiting: string[] = []
  #totals = NO_TOTALS
  #paused: Pause | undefined
  #snapshot: UploadSnapshot = { jobs: [], totals: NO_TOTALS, paused: undefined }
  #publishing = false
  #publishedAt = Number.NEGATIVE_INFINITY
  #settled = true
  #lastId = 0

  constructor(transport: Transport) {
    this.#transport = transport
  }

  get(): UploadSnapshot {
    return this.#snapshot
  }

  /** Whether uploads are under way or wait for a decision, including what {@link get} does not show yet. */
  get isRunning(): boolean {
    const { active, queued, conflicts } = this.#totals
    return active + queued + conflicts > 0
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Called with the path and the job of each sent item. */
  onArrival(listener: (path: FilePath, job: UploadJob) => void): void {
    this.#arrivalListeners.add(listener)
  }

  /** Calls the listener when a run ends; returns the function that unsubscribes. */
  onSettled(listener: (report: SettledReport) => void): () => void {
    this.#settledListeners.add(listener)
    return () => this.#settledListeners.delete(listener)
  }

  add(jobs: readonly NewJob[]): void {
    this.#settled = false
    for (const job of jobs) {
      this.#lastId += 1
      this.#put(newJob(`upload-${this.#lastId}`, job))
    }
    this.#pump()
  }

  /** Cancels a job in any state and removes it, also from the server. */
  cancel(id: string): void {
    this.#forget(id)
    this.#pump()
  }

  cancelAll(): void {
    for (const id of [...this.#jobs.keys()]) this.#forget(id)
    this.#pump()
  }

  /** Retries a failed job. */
  retry(id: string): void {
    if (this.#jobs.get(id)?.state === 'failed') this.#requeue(id, { attempts: 0 })
    this.#pump()
  }

  retryAll(): void {
    for (const { id, state } of [...this.#jobs.values()]) if (state === 'failed') this.#requeue(id, { attempts: 0 })
    this.#pump()
  }

  /** Pauses one job; the sent part of a large file stays on the server. */
  pause(id: string): void {
    const state = this.#jobs.get(id)?.state
    if (state !== 'queued' && state !== 'active') return
    this.#interrupt(id, 'paused')
    this.#pump()
  }

  /** Resumes a paused job. */
  unpause(id: string): void {
    if (this.#jobs.get(id)?.state === 'paused') this.#requeue(id, {})
    this.#pump()
  }

  /** Decides a conflict. */
  decide(id: string, decision: Decision): void {
    const job = this.#jobs.get(id)
    if (job?.state !== 'conflict') return
    if (job.begun) this.#discard(job)
    if (decision === 'skip') this.#end(id, 'skipped')
    else this.#requeue(id, { decision, begun: false, kept: 0, copy: decision === 'keepBoth' ? 1 : 0 })
    this.#pump()
  }

  /** Sets the existing version of a job: only that one may then be replaced. */
  noteExisting(id: string, existing: UploadJob['existing']): void {
    if (this.#jobs.get(id)?.state === 'conflict') this.#update(id, { existing })
  }

  /** Pauses all jobs. */
  pauseAll(why: Pause): void {
    const looking = this.#paused === 'offline'
    this.#paused = why
    for (const { id, state } of [...this.#jobs.values()]) {
      if (state === 'active') this.#interrupt(id, 'queued')
    }
    this.#changed()
    if (why === 'offline' && !looking) this.#lookForServer(PROBE_INTERVAL.first)
  }

  /** Resumes all jobs. */
  resume(): void {
    this.#paused = undefined
    this.#changed()
    this.#pump()
  }

  #lookForServer(wait: number): void {
    const look = async () => {
      if (this.#paused !== 'offline') return
      if (await this.#transport.isReachable()) {
        if (this.#paused === 'offline') this.resume()
      } else this.#lookForServer(Math.min(2 * wait, PROBE_INTERVAL.longest))
    }
    setTimeout(() => void look(), wait)
  }

  #publish(): void {
    this.#publishing = false
    this.#publishedAt = performance.now()
    this.#snapshot = { jobs: [...this.#jobs.values()], totals: this.#totals, paused: this.#paused }
    for (const listener of [...this.#listeners]) listener()
  }

  #changed(): void {
    if (this.#publishing) return
    this.#publishing = true
    const wait = this.#publishedAt + UPLOAD_PROGRESS_INTERVAL - performance.now()
    setTimeout(() => this.#publish(), Math.max(0, wait))
  }

  #put(next: UploadJob): void {
    const old = this.#jobs.get(next.id)
    const job = { ...next, sent: Math.max(next.sent, old?.sent ?? 0) }
    this.#totals = count(old ? count(this.#totals, old, -1) : this.#totals, job, 1)
    this.#jobs.set(job.id, job)
    if (job.state === 'queued' && old?.state !== 'queued') this.#waiting.push(job.id)
    this.#changed()
  }

  #update(id: string, change: Partial<UploadJob>): void {
    const job = this.#jobs.get(id)
    if (job) this.#put({ ...job, ...change })
  }

  /** Stops a job for now. What was sent of it may have arrived in whole, without a response: that is no conflict. */
  #interrupt(id: string, state: 'paused' | 'queued'): void {
    const job = this.#jobs.get(id)
    if (job) this.#update(id, { state, begun: job.begun || job.sent > 0 })
    this.#stop(id)
  }

  #stop(id: string): void {
    this.#aborts.get(id)?.abort()
    this.#aborts.delete(id)
  }

  #forget(id: string): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#jobs.delete(id)
    this.#totals = count(this.#totals, job, -1)
    this.#stop(id)
    if (job.begun) this.#discard(job)
    this.#changed()
    if (this.#jobs.size === 0 && this.#settled) this.#totals = NO_TOTALS
  }

  /** What cannot be removed now expires on the server. */
  #discard(job: UploadJob): void {
    this.#transport.discard(targetOf(job), job.file).catch(() => undefined)
  }

  #requeue(id: string, change: Partial<UploadJob>): void {
    this.#settled = false
    this.#update(id, { state: 'queued', failure: undefined, ...change })
  }

  #pump(): void {
    while (!this.#paused && this.#totals.active < MAX_CONCURRENT_UPLOADS) {
      const id = this.#waiting.shift()
      if (id === undefined) break
      const job = this.#jobs.get(id)
      if (job?.state === 'queued') void this.#run(job)
    }
    this.#settle()
  }

  async #run(job: UploadJob): Promise<void> {
    const abort = new AbortController()
    this.#aborts.set(job.id, abort)
    this.#update(job.id, { state: 'active', failure: undefined })
    const onChange = (change: Partial<UploadJob>) => {
      if (!abort.signal.aborted) this.#update(job.id, change)
    }
    try {
      const how = await send(this.#transport, job, abort.signal, onChange)
      if (!abort.signal.aborted) this.#end(job.id, how)
    } catch (error) {
      if (!abort.signal.aborted) await this.#handle(job.id, error, abort.signal)
    } finally {
      if (this.#aborts.get(job.id) === abort) this.#aborts.delete(job.id)
      this.#pump()
    }
  }

  #end(id: string, how: Outcome): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#jobs.delete(id)
    this.#totals = countEnded(count(this.#totals, job, -1), job, how)
    this.#changed()
    if (how === 'done') for (const listener of this.#arrivalListeners) listener(targetOf(job), job)
  }

  async #handle(id: string, error: unknown, signal: AbortSignal): Promise<void> {
    const job = this.#jobs.get(id)
    if (!job) return
    const { skipped, change, pause } = await afterFailure(job, error, this.#transport.isVisitor)
    if (signal.aborted) return
    if (skipped) this.#end(id, 'skipped')
    else this.#update(id, change)
    if (pause && !this.#paused) this.pauseAll(pause)
  }

  #settle(): void {
    const { done, skipped, failed } = this.#totals
    if (this.#settled || this.isRunning) return
    this.#settled = true
    this.#waiting = []
    if (failed === 0) this.#totals = NO_TOTALS
    this.#publish()
    for (const listener of [...this.#settledListeners]) listener({ done, skipped, failed })
  }
}

function newJob(id: string, { path, file, existing, failure, known }: NewJob): UploadJob {
  const state = failure ? 'failed' : file && existing ? 'conflict' : 'queued'
  const fresh = { sent: 0, begun: false, kept: 0, decision: undefined, copy: 0, attempts: 0 }
  return { id, path, file, size: file?.size ?? 0, state, failure, existing, ...fresh, ...known }
}

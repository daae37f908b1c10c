import { MAX_CONCURRENT_UPLOADS, UPLOAD_PROGRESS_INTERVAL } from '../../../shared/limits.ts'
import { childOf, type FilePath, nameOf, parentOf } from '../../../shared/path.ts'
import type { Decision } from '../../lib/prompts.ts'
import { numberedName } from '../files/names.ts'
import { afterFailure } from './failure.ts'
import { type JobFailure, NO_TOTALS, type Pause, type UploadJob, type UploadTotals } from './job.ts'
import type { Transport } from './transport.ts'

/** The queue as the panel shows it; a new object whenever something changed. */
export interface UploadSnapshot {
  /** All jobs that are not finished, in the order they were added. */
  jobs: readonly UploadJob[]
  totals: UploadTotals
  paused: Pause | undefined
}

/** What a new job is made of. `failure` marks one that was chosen but cannot be sent. */
export type NewJob = Pick<UploadJob, 'path' | 'file' | 'existing'> & { failure?: JobFailure | undefined }

/** How a run ended: nothing is queued, active or waiting for a decision any more. */
export type SettledReport = Pick<UploadTotals, 'done' | 'failed'>

/** Milliseconds before something is sent again after a lost connection, while the browser still believes in one. */
const RETRY_DELAY = 1000

/**
 * Sends files and folders, five at a time, in the order they came (specification section 4). Progress is published at
 * most every 100 ms. Lives outside React, so that leaving a screen stops nothing.
 */
export class UploadQueue {
  readonly #transport: Transport
  readonly #jobs = new Map<string, UploadJob>()
  readonly #aborts = new Map<string, AbortController>()
  readonly #listeners = new Set<() => void>()
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

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Tells when a run ends; answers how to stop listening. */
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

  /** Stops a job, whatever its state, and forgets it. */
  cancel(id: string): void {
    this.#forget(id)
    this.#pump()
  }

  cancelAll(): void {
    for (const id of [...this.#jobs.keys()]) this.#forget(id)
    this.#pump()
  }

  /** Sends a failed job again. */
  retry(id: string): void {
    if (this.#jobs.get(id)?.state === 'failed') this.#requeue(id, { retried: false })
    this.#pump()
  }

  retryAll(): void {
    for (const id of [...this.#jobs.keys()]) {
      if (this.#jobs.get(id)?.state === 'failed') this.#requeue(id, { retried: false })
    }
    this.#pump()
  }

  /** Settles a conflict. */
  decide(id: string, decision: Decision): void {
    if (this.#jobs.get(id)?.state !== 'conflict') return
    if (decision === 'skip') this.#forget(id)
    else this.#requeue(id, decision === 'replace' ? { override: true } : { copy: 1 })
    this.#pump()
  }

  /** Goes on after a lost connection or a new login. */
  resume(): void {
    this.#paused = undefined
    this.#changed()
    this.#pump()
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

  #put(job: UploadJob): void {
    const old = this.#jobs.get(job.id)
    this.#totals = count(old ? count(this.#totals, old, -1) : this.#totals, job, 1)
    this.#jobs.set(job.id, job)
    if (job.state === 'queued' && old?.state !== 'queued') this.#waiting.push(job.id)
    this.#changed()
  }

  #update(id: string, change: Partial<UploadJob>): void {
    const job = this.#jobs.get(id)
    if (job) this.#put({ ...job, ...change })
  }

  #remove(job: UploadJob): void {
    this.#jobs.delete(job.id)
    this.#totals = count(this.#totals, job, -1)
    this.#changed()
  }

  #forget(id: string): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#remove(job)
    this.#aborts.get(id)?.abort()
    this.#aborts.delete(id)
    if (this.#jobs.size === 0 && this.#settled) this.#totals = NO_TOTALS
  }

  #requeue(id: string, change: Partial<UploadJob>): void {
    this.#settled = false
    this.#update(id, { state: 'queued', sent: 0, failure: undefined, ...change })
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
    this.#update(job.id, { state: 'active', sent: 0, failure: undefined })
    try {
      await this.#send(job, abort.signal)
      this.#finish(job.id)
    } catch (error) {
      if (!abort.signal.aborted) await this.#handle(job.id, error)
    } finally {
      if (this.#aborts.get(job.id) === abort) this.#aborts.delete(job.id)
      this.#pump()
    }
  }

  #send(job: UploadJob, signal: AbortSignal): Promise<void> {
    const target = targetOf(job)
    if (!job.file) return this.#transport.makeFolder(target, signal)
    const onProgress = (sent: number) => {
      if (!signal.aborted) this.#update(job.id, { sent: Math.min(sent, job.size) })
    }
    return this.#transport.sendFile(target, job.file, { override: job.override, signal, onProgress })
  }

  #finish(id: string): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#remove(job)
    this.#totals = addFinished(this.#totals, job)
  }

  async #handle(id: string, error: unknown): Promise<void> {
    const job = this.#jobs.get(id)
    if (!job) return
    const next = await afterFailure(job, error)
    if (next.pause) this.#paused = next.pause
    if (next.again !== 'later') {
      this.#update(id, next.change)
      return
    }
    // Still counted as active, so that the run does not end meanwhile.
    this.#update(id, { retried: true })
    setTimeout(() => {
      this.#update(id, { state: 'queued', sent: 0 })
      this.#pump()
    }, RETRY_DELAY)
  }

  #settle(): void {
    const { active, queued, conflicts, done, failed } = this.#totals
    if (this.#settled || active + queued + conflicts > 0) return
    this.#settled = true
    this.#waiting = []
    if (failed === 0) this.#totals = NO_TOTALS
    this.#publish()
    for (const listener of [...this.#settledListeners]) listener({ done, failed })
  }
}

/** Where a job is sent: a numbered name when both are to be kept. */
function targetOf(job: UploadJob): FilePath {
  return childOf(parentOf(job.path), numberedName(nameOf(job.path), job.copy))
}

function newJob(id: string, { path, file, existing, failure }: NewJob): UploadJob {
  const state = failure ? 'failed' : existing ? 'conflict' : 'queued'
  const fresh = { sent: 0, override: false, copy: 0, retried: false }
  return { id, path, file, size: file?.size ?? 0, state, failure, existing, ...fresh }
}

const COUNTED = { queued: 'queued', active: 'active', failed: 'failed', conflict: 'conflicts' } as const

function count(totals: UploadTotals, job: UploadJob, sign: 1 | -1): UploadTotals {
  const field = COUNTED[job.state]
  return {
    ...totals,
    total: totals.total + sign,
    bytes: totals.bytes + sign * job.size,
    sent: totals.sent + sign * job.sent,
    [field]: totals[field] + sign,
  }
}

function addFinished(totals: UploadTotals, job: UploadJob): UploadTotals {
  const { total, done, bytes, sent } = totals
  return { ...totals, total: total + 1, done: done + 1, bytes: bytes + job.size, sent: sent + job.size }
}

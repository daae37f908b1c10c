import { AppError } from '../../errors.ts'
import { Semaphore } from '../../lib/limit.ts'
import { IDLE_TIME, MAX_WAITING, RENDER_MEMORY, RENDER_TIME } from './limits.ts'
import type { Answer } from './messages.ts'
import { ProcessEnded, type ProcessLimits, type RenderJob, RenderProcess } from './render-process.ts'

export interface PoolOptions extends Partial<ProcessLimits> {
  /** The most processes; they are started on demand. */
  processors: number
  /** The most queued jobs. */
  waiting?: number
  /** Milliseconds an idle process is kept. */
  idle?: number
}

/** Attempts at an image whose process ended: the cause may lie elsewhere. */
const ATTEMPTS = 2

const UNDECODABLE: Answer = { kind: 'refused', code: 'undecodable' }

/** The pool of preview processes. */
export class RenderPool {
  readonly #limits: ProcessLimits
  readonly #idleTime: number
  readonly #semaphore: Semaphore
  readonly #all = new Set<RenderProcess>()
  readonly #free: RenderProcess[] = []

  constructor({ processors, memory = RENDER_MEMORY, time = RENDER_TIME, waiting, idle = IDLE_TIME }: PoolOptions) {
    this.#limits = { memory, time }
    this.#idleTime = idle
    this.#semaphore = new Semaphore(processors, { maxWaiting: waiting ?? MAX_WAITING })
  }

  /**
   * Makes a preview. An image that takes too much time, or whose process ends twice, is `undecodable`.
   * @param signal aborts the wait for a process; a job that has begun is finished
   * @throws AppError `unavailable` when too many are queued, no process starts or stays up, or the source is too slow;
   *   or what reading the source throws
   */
  async render(job: RenderJob, signal?: AbortSignal): Promise<Answer> {
    return this.#semaphore.run(() => this.#attempt(job), signal)
  }

  /** Ends every process, and waits until each has exited. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map(worker => worker.end()))
  }

  async #attempt(job: RenderJob): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const worker = (attempt === 1 ? this.#free.pop() : undefined) ?? this.#start()
      try {
        const answer = await worker.render(job)
        this.#free.push(worker)
        worker.endWhenIdle(this.#idleTime)
        return answer
      } catch (thrown) {
        if (!(thrown instanceof ProcessEnded)) throw thrown
        if (thrown.during === 'time') return UNDECODABLE
        if (thrown.during !== 'source' && attempt < ATTEMPTS) continue
        if (thrown.during === 'work') return UNDECODABLE
        throw new AppError('unavailable', 'unavailable', { cause: thrown })
      }
    }
  }

  #start(): RenderProcess {
    const worker = new RenderProcess(this.#limits, () => {
      this.#all.delete(worker)
      const at = this.#free.indexOf(worker)
      if (at >= 0) this.#free.splice(at, 1)
    })
    this.#all.add(worker)
    return worker
  }
}

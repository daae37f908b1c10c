import { AppError } from '../../errors.ts'
import { Semaphore } from '../../lib/limit.ts'
import { IDLE_TIME, MAX_WAITING, RENDER_MEMORY, RENDER_TIME } from './limits.ts'
import type { Answer } from './messages.ts'
import { ProcessEnded, type ProcessLimits, type RenderJob, RenderProcess } from './process.ts'

export interface PoolOptions extends Partial<ProcessLimits> {
  /** Processes at most; they are started when they are needed. */
  processors: number
  /** Jobs that may wait for one. */
  waiting?: number
  /** Milliseconds an idle process is kept. */
  idle?: number
}

/** Times a picture is tried that ends its process: it may have been somebody else who ended it. */
const ATTEMPTS = 2

const UNDECODABLE: Answer = { kind: 'refused', code: 'undecodable' }

/** The processes that make previews. */
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
   * Has a preview made. A picture that takes too much time, or that ends its process twice, is `undecodable`.
   * @param signal gives up waiting for a process; what has begun is brought to its end
   * @throws AppError `unavailable` when too many wait, no process can be started or goes on running, or the source is too
   *   slow; or what reading the source throws
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

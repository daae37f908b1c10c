import type { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'

/** Limit for the threads of one kind: a hanging disk blocks no others. */
export interface Threads {
  running: number
  readonly most: number
  /** Time limit for a response of the disk, in milliseconds. */
  readonly patience: number
}

/** The first message of a thread for clients that wait for its start. */
export const READY = 'ready'

/** A worker thread for one client, until that closes it. Requests are matched to responses by number. */
export class WorkerClient<Request extends { id: number }, Response extends { id: number }> {
  readonly #worker: Worker
  readonly #patience: number
  readonly #waiting = new Map<number, PromiseWithResolvers<Response>>()
  #lastId = 0
  #isReady = false
  #hasEnded = false

  /** `undefined` at the limit of threads. @param start starts the thread */
  static begin<Q extends { id: number }, A extends { id: number }>(
    threads: Threads,
    start: () => Worker,
  ): WorkerClient<Q, A> | undefined {
    return threads.running < threads.most ? new WorkerClient<Q, A>(threads, start()) : undefined
  }

  private constructor(threads: Threads, worker: Worker) {
    threads.running++
    this.#patience = threads.patience
    this.#worker = worker
    worker.on('message', (said: Response | typeof READY) => this.#hear(said))
    worker.on('error', cause => this.end(cause))
    worker.once('exit', () => {
      threads.running--
      this.end()
    })
  }

  /** Whether it has started. */
  get isReady(): boolean {
    return this.#isReady
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /**
   * @param handed memory that is transferred to the thread
   * @throws AppError `unavailable` when the thread ends before it has responded, or exceeds the time limit, which ends
   *    it
   */
  async request(message: Omit<Request, 'id'>, handed: readonly ArrayBuffer[] = []): Promise<Response> {
    if (this.#hasEnded) throw new AppError('unavailable')
    const id = ++this.#lastId
    const response = Promise.withResolvers<Response>()
    this.#waiting.set(id, response)
    this.#worker.postMessage({ ...message, id }, handed)
    const late = setTimeout(() => this.end(new Error('the disk does not respond')), this.#patience)
    return response.promise.finally(() => clearTimeout(late))
  }

  /** Idempotent. */
  end(cause?: unknown): void {
    this.#hasEnded = true
    for (const response of this.#waiting.values())
      response.reject(new AppError('unavailable', 'unavailable', { cause }))
    this.#waiting.clear()
    void this.#worker.terminate()
  }

  #hear(said: Response | typeof READY): void {
    if (said === READY) {
      this.#isReady = true
      return
    }
    this.#waiting.get(said.id)?.resolve(said)
    this.#waiting.delete(said.id)
  }
}

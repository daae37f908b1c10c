import type { Worker } from 'node:worker_threads'
import { AppError } from '../../errors.ts'

/** Threads of one kind that run, and how many may: a disk that hangs keeps no thread but those. */
export interface Threads {
  running: number
  readonly most: number
  /** Milliseconds that the disk may take for an answer. */
  readonly patience: number
}

/** What a thread says first, if anybody wants to know that it has started. */
export const READY = 'ready'

/** A thread that answers what one user of it asks about a disk, each question by its number, until that one is done. */
export class OwnThread<Question extends { id: number }, Answer extends { id: number }> {
  readonly #worker: Worker
  readonly #patience: number
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>()
  #lastId = 0
  #isReady = false
  #hasEnded = false

  /** Nothing where too many run already. @param start starts the thread */
  static begin<Q extends { id: number }, A extends { id: number }>(
    threads: Threads,
    start: () => Worker,
  ): OwnThread<Q, A> | undefined {
    return threads.running < threads.most ? new OwnThread<Q, A>(threads, start()) : undefined
  }

  private constructor(threads: Threads, worker: Worker) {
    threads.running++
    this.#patience = threads.patience
    this.#worker = worker
    worker.on('message', (said: Answer | typeof READY) => this.#hear(said))
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
   * @param handed memory that is the thread's from now on
   * @throws AppError `unavailable` when it ends before it has answered, or takes too long, which ends it
   */
  async ask(question: Omit<Question, 'id'>, handed: readonly ArrayBuffer[] = []): Promise<Answer> {
    if (this.#hasEnded) throw new AppError('unavailable')
    const id = ++this.#lastId
    const answer = Promise.withResolvers<Answer>()
    this.#waiting.set(id, answer)
    this.#worker.postMessage({ ...question, id }, handed)
    const late = setTimeout(() => this.end(new Error('the disk does not answer')), this.#patience)
    return answer.promise.finally(() => clearTimeout(late))
  }

  /** Harmless when it has ended. */
  end(cause?: unknown): void {
    this.#hasEnded = true
    for (const answer of this.#waiting.values()) answer.reject(new AppError('unavailable', 'unavailable', { cause }))
    this.#waiting.clear()
    void this.#worker.terminate()
  }

  #hear(said: Answer | typeof READY): void {
    if (said === READY) {
      this.#isReady = true
      return
    }
    this.#waiting.get(said.id)?.resolve(said)
    this.#waiting.delete(said.id)
  }
}

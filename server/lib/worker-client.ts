import { Worker, type WorkerOptions } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { type FromWorker, type Reply, type ToWorker, unpackError, type WorkerCalls } from './worker-protocol.ts'

export interface WorkerClientOptions extends WorkerOptions {
  /** Milliseconds that the worker may take for a reply; then it is terminated. Unlimited by default. */
  deadline?: number
  /** Milliseconds without a call after which the worker is ended; the next call starts another. Never by default. */
  idleTime?: number
  /** Receives the events that the worker emits. */
  onEvent?: (event: unknown) => void
  /** Called when the worker ended by an error, such as too little memory. */
  onCrash?: (error: unknown) => void
  /** Called whenever a thread of this client has ended. */
  onExit?: () => void
}

export interface CallOptions {
  /** Buffers of the argument that are moved to the worker instead of copied. */
  transfer?: ArrayBuffer[]
  /** The input of the call, read at the worker's speed; copied. */
  input?: AsyncIterable<unknown>
}

type Argument<F> = F extends (argument: infer A, ...rest: never[]) => unknown ? A : never
type Item<F> = F extends (...all: never[]) => AsyncIterable<infer I> | Iterable<infer I> ? I : never
type Result<F> = F extends (...all: never[]) => infer R ? Awaited<R> : never

interface Pending extends PromiseWithResolvers<Extract<Reply, { done: boolean }>> {
  late: NodeJS.Timeout | undefined
}

/**
 * Calls functions of a worker thread, which `serveCalls` defines there. The thread starts with the first call, and again
 * after it has ended; it keeps the process alive only while a call is pending.
 */
export class WorkerClient<C extends WorkerCalls> {
  readonly #url: URL
  readonly #options: WorkerClientOptions
  readonly #pending = new Map<number, Pending>()
  readonly #inputs = new Map<number, AsyncIterator<unknown>>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #isReady = false
  /** A terminated thread that has not ended, because the system does not return from a call. */
  #hung: Worker | undefined
  #lastReply = 0
  #lastId = 0

  /** @param url the module of the worker */
  constructor(url: URL, options: WorkerClientOptions = {}) {
    this.#url = url
    this.#options = options
  }

  /** Whether the thread runs and has loaded its module. */
  get isReady(): boolean {
    return this.#isReady
  }

  get isRunning(): boolean {
    return this.#worker !== undefined
  }

  /** Calls that await a reply. */
  get pending(): number {
    return this.#pending.size
  }

  /** Milliseconds since the last reply while calls are pending; `Infinity` for a terminated thread that does not end. */
  get silentFor(): number {
    if (this.#hung) return Number.POSITIVE_INFINITY
    return this.pending > 0 ? performance.now() - this.#lastReply : 0
  }

  /**
   * The result of a call.
   * @throws what the call throws (an `AppError`, or an error with its `code`) or its input; AppError `unavailable` when
   *    the thread ends before it has replied
   */
  async request<K extends keyof C & string>(
    call: K,
    argument: Argument<C[K]>,
    options: CallOptions = {},
  ): Promise<Result<C[K]>> {
    const id = ++this.#lastId
    try {
      return (await this.#call(id, call, argument, options)).value as Result<C[K]>
    } finally {
      await this.#inputs.get(id)?.return?.()
      this.#inputs.delete(id)
    }
  }

  /**
   * The items of a call, requested one ahead of the consumer. When it ends or is left early, the worker has finished
   * its last item.
   * @throws what `request` throws
   */
  async *stream<K extends keyof C & string>(
    call: K,
    argument: Argument<C[K]>,
    options: CallOptions = {},
  ): AsyncGenerator<Item<C[K]>> {
    const id = ++this.#lastId
    let coming: Promise<{ value: unknown; done: boolean }> | undefined = this.#call(id, call, argument, options)
    try {
      for (;;) {
        const { value, done } = await coming
        coming = undefined
        if (done) return
        coming = this.#send({ id, next: true })
        // After an early exit the next item has no consumer: its failure must not be unhandled.
        coming.catch(() => {})
        yield value as Item<C[K]>
      }
    } finally {
      if (coming) {
        this.#worker?.postMessage({ id, cancel: true } satisfies ToWorker)
        await coming.catch(() => {})
      }
      await this.#inputs.get(id)?.return?.()
      this.#inputs.delete(id)
    }
  }

  /** Starts the thread unless it runs. */
  start(): void {
    this.#worker ??= this.#started()
  }

  /** Terminates the thread, and waits for its end; pending calls fail. A later call starts another. */
  async close(): Promise<void> {
    await this.#end(undefined)
  }

  async #call(id: number, call: string, argument: unknown, { input, transfer }: CallOptions) {
    if (input) this.#inputs.set(id, input[Symbol.asyncIterator]())
    return this.#send({ id, call, argument, hasInput: input !== undefined }, transfer)
  }

  /** Sends a message that the worker replies to. */
  async #send(message: ToWorker, transfer: ArrayBuffer[] = []) {
    if (this.#hung) throw new AppError('unavailable')
    this.start()
    if (this.pending === 0) this.#lastReply = performance.now()
    const pending: Pending = { ...Promise.withResolvers(), late: undefined }
    this.#pending.set(message.id, pending)
    clearTimeout(this.#idle)
    this.#worker?.ref()
    this.#worker?.postMessage(message, transfer)
    this.#limit(pending)
    return pending.promise
  }

  #started(): Worker {
    const { deadline: _deadline, idleTime: _idle, onEvent: _event, onCrash, onExit, ...options } = this.#options
    const worker = new Worker(this.#url, options)
    worker.on('message', (message: FromWorker) => this.#receive(message))
    worker.on('error', error => {
      onCrash?.(error)
      this.#fail(worker, error)
    })
    worker.on('exit', () => {
      this.#fail(worker, undefined)
      if (this.#hung === worker) this.#hung = undefined
      onExit?.()
    })
    worker.unref()
    return worker
  }

  #receive(message: FromWorker): void {
    this.#lastReply = performance.now()
    if ('ready' in message) this.#isReady = true
    else if ('event' in message) this.#options.onEvent?.(message.event)
    else if ('wants' in message) void this.#feed(message.id)
    else if ('failed' in message) this.#settle(message.id)?.reject(unpackError(message.failed))
    else this.#settle(message.id)?.resolve(message)
  }

  /** Sends the next item of a call's input. */
  async #feed(id: number): Promise<void> {
    const [pending, input] = [this.#pending.get(id), this.#inputs.get(id)]
    clearTimeout(pending?.late)
    try {
      const { done, value } = (await input?.next()) ?? { done: true, value: undefined }
      if (this.#pending.get(id) !== pending) return
      this.#worker?.postMessage({ id, input: value, ended: done === true } satisfies ToWorker)
      if (pending) this.#limit(pending)
    } catch (thrown) {
      this.#worker?.postMessage({ id, cancel: true } satisfies ToWorker)
      this.#settle(id)?.reject(thrown)
    }
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    clearTimeout(pending?.late)
    this.#pending.delete(id)
    if (this.pending > 0) return pending
    this.#worker?.unref()
    const { idleTime } = this.#options
    clearTimeout(this.#idle)
    if (idleTime !== undefined) this.#idle = setTimeout(() => void this.#end(undefined), idleTime).unref()
    return pending
  }

  #limit(pending: Pending): void {
    const { deadline } = this.#options
    if (deadline === undefined) return
    pending.late = setTimeout(() => {
      this.#hung = this.#worker
      void this.#end(new Error('the worker does not reply'))
    }, deadline)
  }

  async #end(cause: unknown): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    this.#fail(worker, cause)
    await worker.terminate()
  }

  /** Forgets a thread that ended, and fails its pending calls. */
  #fail(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#isReady = false
    clearTimeout(this.#idle)
    for (const id of [...this.#pending.keys()])
      this.#settle(id)?.reject(new AppError('unavailable', 'unavailable', { cause }))
  }
}

import { Worker, type WorkerOptions } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { type FromWorker, type Item, type ToWorker, unpackError, type WorkerCalls } from './worker-protocol.ts'

/** Milliseconds after which unused threads are ended, and their memory is returned. */
export const IDLE_TIME = 60_000

export interface WorkerClientOptions extends WorkerOptions {
  /** Milliseconds that a worker may take for a reply once it has started; then it is terminated. Unlimited by default. */
  deadline?: number
  /** Milliseconds without a call after which the worker is ended; the next call starts another. Never by default. */
  idleTime?: number
  /** Whether the thread is not started again after it has ended: further calls fail. */
  once?: boolean
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
  /** Cancels the call. */
  signal?: AbortSignal
}

type Argument<F> = F extends (argument: infer A, ...rest: never[]) => unknown ? A : never
type ItemOf<F> = F extends (...all: never[]) => AsyncIterable<infer I, infer R> | Iterable<infer I, infer R>
  ? I | Exclude<R, void>
  : never
type ResultOf<F> = F extends (...all: never[]) => infer R ? Awaited<R> : never

interface Call {
  id: number
  worker: Worker
  input: AsyncIterator<unknown> | undefined
  reply: PromiseWithResolvers<Item> | undefined
  /** Runs out when the worker does not reply in time. */
  late: NodeJS.Timeout | undefined
  signal: AbortSignal | undefined
  abort(): void
}

/**
 * Calls functions of a worker thread, which `serveCalls` defines there. The thread starts with the first call, and again
 * after it has ended; it keeps the process alive only while a reply is awaited.
 */
export class WorkerClient<C extends WorkerCalls> {
  readonly #url: URL
  readonly #options: WorkerClientOptions
  readonly #calls = new Map<number, Call>()
  #worker: Worker | undefined
  /** A terminated thread that has not ended, because the system does not return from a call. */
  #hung: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #isReady = false
  #isOver = false
  #awaited = 0
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

  /** The number of calls that have not ended. */
  get load(): number {
    return this.#calls.size
  }

  /** Milliseconds since the last reply while one is awaited; `Infinity` for a terminated thread that does not end. */
  get silentFor(): number {
    if (this.#hung) return Number.POSITIVE_INFINITY
    return this.#awaited > 0 ? performance.now() - this.#lastReply : 0
  }

  /**
   * The result of a call.
   * @throws what the call throws (an `AppError`, or an error with its `code`), its input, or the reason of its signal;
   *    AppError `unavailable` when the thread ends before it has replied
   */
  async request<K extends keyof C & string>(
    name: K,
    argument: Argument<C[K]>,
    options: CallOptions = {},
  ): Promise<ResultOf<C[K]>> {
    const call = this.#open(options)
    try {
      return (await this.#begin(call, name, argument, options)).value as ResultOf<C[K]>
    } finally {
      await this.#close(call)
    }
  }

  /**
   * The items of a call, requested one ahead of the consumer; what a generator returns is its last item. When it ends or is left early, the worker has finished
   * its last item, unless the signal cancelled it.
   * @throws what `request` throws
   */
  async *stream<K extends keyof C & string>(
    name: K,
    argument: Argument<C[K]>,
    options: CallOptions = {},
  ): AsyncGenerator<ItemOf<C[K]>> {
    const call = this.#open(options)
    let coming: Promise<Item> | undefined = this.#begin(call, name, argument, options)
    try {
      while (coming) {
        const { value, done }: Item = await coming
        coming = done ? undefined : this.#ask(call, { id: call.id, next: true })
        // After an early exit the next item has no consumer: its failure must not be unhandled.
        coming?.catch(() => {})
        if (!done || value !== undefined) yield value as ItemOf<C[K]>
      }
    } finally {
      if (coming) post(call, { id: call.id, cancel: true })
      await coming?.catch(() => {})
      await this.#close(call)
    }
  }

  /**
   * Starts the thread unless it runs.
   * @throws AppError `unavailable` while a terminated thread does not end, or if it is not to be started again
   */
  start(): Worker {
    if (this.#hung || this.#isOver) throw new AppError('unavailable')
    this.#worker ??= this.#started()
    return this.#worker
  }

  /** Terminates the thread, and waits for its end; its calls fail. A later call starts another. */
  async close(): Promise<void> {
    await this.#end(undefined)
  }

  #open({ input, signal }: CallOptions): Call {
    signal?.throwIfAborted()
    const call: Call = {
      id: ++this.#lastId,
      worker: this.start(),
      input: input?.[Symbol.asyncIterator](),
      reply: undefined,
      late: undefined,
      signal,
      abort: () => {
        post(call, { id: call.id, cancel: true })
        this.#settle(call)?.reject(signal?.reason)
      },
    }
    signal?.addEventListener('abort', call.abort)
    this.#calls.set(call.id, call)
    clearTimeout(this.#idle)
    return call
  }

  async #close(call: Call): Promise<void> {
    this.#calls.delete(call.id)
    call.signal?.removeEventListener('abort', call.abort)
    const { idleTime } = this.#options
    if (idleTime !== undefined && this.load === 0) this.#idle = setTimeout(() => void this.close(), idleTime).unref()
    await call.input?.return?.()
  }

  #begin(call: Call, name: string, argument: unknown, { input, transfer }: CallOptions): Promise<Item> {
    return this.#ask(call, { id: call.id, call: name, argument, hasInput: input !== undefined }, transfer)
  }

  /** Sends a message that the worker replies to. */
  async #ask(call: Call, message: ToWorker, transfer?: ArrayBuffer[]): Promise<Item> {
    call.signal?.throwIfAborted()
    if (call.worker !== this.#worker) throw new AppError('unavailable')
    if (this.#awaited++ === 0) this.#lastReply = performance.now()
    call.reply = Promise.withResolvers()
    call.worker.ref()
    post(call, message, transfer)
    this.#limit(call)
    return call.reply.promise
  }

  #started(): Worker {
    const {
      deadline: _deadline,
      idleTime: _idleTime,
      once: _once,
      onEvent: _onEvent,
      onCrash,
      onExit,
      ...options
    } = this.#options
    const worker = new Worker(this.#url, options)
    worker.on('message', (message: FromWorker) => this.#receive(message))
    worker.on('error', error => {
      onCrash?.(error)
      this.#forget(worker, error)
    })
    worker.on('exit', () => {
      this.#forget(worker, undefined)
      if (this.#hung === worker) this.#hung = undefined
      onExit?.()
    })
    worker.unref()
    return worker
  }

  #receive(message: FromWorker): void {
    this.#lastReply = performance.now()
    if ('ready' in message) this.#hasStarted()
    else if ('event' in message) this.#options.onEvent?.(message.event)
    else if ('wants' in message) void this.#feed(this.#calls.get(message.id))
    else if ('failed' in message) this.#settle(this.#calls.get(message.id))?.reject(unpackError(message.failed))
    else this.#settle(this.#calls.get(message.id))?.resolve(message)
  }

  #hasStarted(): void {
    this.#isReady = true
    for (const call of this.#calls.values()) if (call.reply) this.#limit(call)
  }

  /** Sends the next item of a call's input. */
  async #feed(call: Call | undefined): Promise<void> {
    if (!call?.input) return
    clearTimeout(call.late)
    try {
      const { done, value } = await call.input.next()
      post(call, { id: call.id, input: value, ended: done === true })
      if (call.reply) this.#limit(call)
    } catch (thrown) {
      post(call, { id: call.id, cancel: true })
      this.#settle(call)?.reject(thrown)
    }
  }

  /** Ends the waiting for a reply. */
  #settle(call: Call | undefined): Pick<PromiseWithResolvers<Item>, 'resolve' | 'reject'> | undefined {
    if (!call?.reply) return undefined
    const { reply } = call
    clearTimeout(call.late)
    call.reply = undefined
    if (--this.#awaited === 0) call.worker.unref()
    return reply
  }

  #limit(call: Call): void {
    const { deadline } = this.#options
    if (deadline === undefined || !this.#isReady) return
    call.late = setTimeout(() => {
      this.#hung = call.worker
      void this.#end(new Error('the worker does not reply'))
    }, deadline)
  }

  async #end(cause: unknown): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    this.#forget(worker, cause)
    await worker.terminate()
  }

  /** Fails the calls of a thread that ended. */
  #forget(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    this.#isReady = false
    this.#isOver = this.#options.once === true
    for (const call of this.#calls.values())
      this.#settle(call)?.reject(new AppError('unavailable', 'unavailable', { cause }))
  }
}

function post({ worker }: Call, message: ToWorker, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer)
}

import { AppError } from '../errors.ts'
import { type CallOptions, WorkerClient, type WorkerClientOptions } from './worker-client.ts'
import type { WorkerCalls } from './worker-protocol.ts'

export interface WorkerPoolOptions extends WorkerClientOptions {
  /** Maximum number of threads. */
  size: number
  /** Milliseconds without a reply after which a thread counts as stuck: others are started in its place. */
  stuckAfter?: number
  /** Maximum number of threads including stuck ones. */
  sizeWithStuck?: number
}

/** Worker threads of one kind, started on demand. A call goes to the one with the fewest unfinished calls. */
export class WorkerPool<C extends WorkerCalls> {
  readonly #url: URL
  readonly #options: Required<Pick<WorkerPoolOptions, 'size' | 'stuckAfter' | 'sizeWithStuck'>>
  readonly #clientOptions: WorkerClientOptions
  readonly #clients: WorkerClient<C>[] = []

  constructor(url: URL, options: WorkerPoolOptions) {
    const { size, stuckAfter = Number.POSITIVE_INFINITY, sizeWithStuck = size, ...rest } = options
    this.#url = url
    this.#options = { size, stuckAfter, sizeWithStuck }
    this.#clientOptions = rest
  }

  /** See `WorkerClient.request`. @throws AppError `unavailable` also when all threads are stuck */
  request: WorkerClient<C>['request'] = async (call, argument, options?: CallOptions) =>
    this.#leastBusy().request(call, argument, options)

  /** See `WorkerClient.stream`. @throws AppError `unavailable` also when all threads are stuck */
  stream: WorkerClient<C>['stream'] = (call, argument, options?: CallOptions) =>
    this.#leastBusy().stream(call, argument, options)

  /** Whether a call would fail at once, because all threads are stuck. */
  get isStuck(): boolean {
    return this.#clients.length >= this.#options.sizeWithStuck && this.#responsive.length === 0
  }

  /** Whether a thread has loaded its module. */
  get isReady(): boolean {
    return this.#clients.some(({ isReady }) => isReady)
  }

  get #responsive(): WorkerClient<C>[] {
    return this.#clients.filter(({ silentFor }) => silentFor <= this.#options.stuckAfter)
  }

  #leastBusy(): WorkerClient<C> {
    const { size, sizeWithStuck } = this.#options
    const responsive = this.#responsive
    const [best] = responsive.toSorted((a, b) => a.load - b.load)
    if (best && (best.load === 0 || responsive.length >= size || this.#clients.length >= sizeWithStuck)) return best
    if (this.#clients.length >= sizeWithStuck) throw new AppError('unavailable', 'the disks do not respond')
    const client = new WorkerClient<C>(this.#url, this.#clientOptions)
    this.#clients.push(client)
    return client
  }
}

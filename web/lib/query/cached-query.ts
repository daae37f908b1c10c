import { ApiError } from '../api.ts'
import { onlineStore } from '../online.ts'

/** Identifies a query: queries of one key share their response. Parts must survive JSON. */
export type QueryKey = readonly unknown[]

/** What to fetch, and how long the response is fresh. Times are milliseconds. */
export interface QueryOptions<T> {
  queryKey: QueryKey
  queryFn: (call: { signal: AbortSignal }) => Promise<T>
  /** How long a response is fresh; default 5 s. */
  staleTime?: number
  /** How long an unobserved response is cached; default 5 min. */
  gcTime?: number
  /** Whether window focus refetches a stale response; default true. */
  refetchOnWindowFocus?: boolean | ((query: { state: QueryState<T> }) => boolean)
  /** The same for a restored connection; default false. */
  refetchOnReconnect?: boolean
  /** Whether a response equal to the previous one keeps its identity; default true. */
  structuralSharing?: boolean
}

export interface QueryState<T> {
  /** The last response; it stays when a later call fails. */
  data: T | undefined
  /** The error of the last call. */
  error: Error | null
  /** When `data` arrived, in milliseconds since the epoch. */
  dataUpdatedAt: number
  isFetching: boolean
  /** Marked as stale. */
  isInvalidated: boolean
}

/** An observer of a query. */
export interface QueryObserver {
  /** Whether the query may be fetched automatically on its behalf. */
  enabled: boolean
  /** Called after every change of state. */
  listener: () => void
}

interface Running<T> {
  controller: AbortController
  promise: Promise<T>
}

const STALE_AFTER = 5_000
const KEEP_FOR = 300_000
const RETRIES = 2
const FIRST_RETRY_AFTER = 1_000

/** A query, its last response, and its observers. */
export class CachedQuery<T> {
  options: QueryOptions<T>
  state: QueryState<T> = { data: undefined, error: null, dataUpdatedAt: 0, isFetching: false, isInvalidated: false }
  /** Increments with every change of state. */
  version = 0
  readonly #observers = new Set<QueryObserver>()
  readonly #onUnused: () => void
  #running: Running<T> | undefined
  #unusedTimer: ReturnType<typeof setTimeout> | undefined

  /**
   * @param onUnused called when the query has had no observer for its `gcTime`
   */
  constructor(options: QueryOptions<T>, onUnused: () => void) {
    this.options = options
    this.#onUnused = onUnused
  }

  get isActive(): boolean {
    return [...this.#observers].some(observer => observer.enabled)
  }

  get isStale(): boolean {
    const { data, isInvalidated, dataUpdatedAt } = this.state
    return data === undefined || isInvalidated || Date.now() - dataUpdatedAt >= (this.options.staleTime ?? STALE_AFTER)
  }

  /**
   * @returns the function that unsubscribes; a call without observers is aborted
   */
  subscribe(observer: QueryObserver): () => void {
    this.#observers.add(observer)
    clearTimeout(this.#unusedTimer)
    return () => {
      this.#observers.delete(observer)
      // Another observer may subscribe in the same rendering.
      queueMicrotask(() => {
        if (this.#observers.size > 0) return
        this.cancel()
        this.#forgetLater()
      })
    }
  }

  /**
   * Fetches; joins a call under way unless a fresh one is requested by `fresh`: that runs after the call under way while
   * there is no data, else instead of it. Rejects with the call's error.
   */
  fetch({ fresh = false } = {}): Promise<T> {
    if (this.#running && !fresh) return this.#running.promise
    if (this.#running && this.state.data === undefined) return this.#running.promise.then(() => this.fetch())
    this.cancel()
    const controller = new AbortController()
    const running: Running<T> = { controller, promise: this.#call(controller) }
    running.promise.catch(() => undefined)
    this.#running = running
    this.#set({ isFetching: true, ...(this.state.data === undefined && { error: null }) })
    return running.promise
  }

  /** Aborts a call under way and repeats it: a call without a response for long may never get one. */
  restart(): Promise<T> {
    this.cancel()
    return this.fetch()
  }

  /** Aborts a call under way: its response would be out of date. */
  cancel(): void {
    const running = this.#running
    if (!running) return
    this.#running = undefined
    running.controller.abort()
    this.#set({ isFetching: false })
  }

  setData(answer: T): void {
    const data = this.options.structuralSharing === false ? answer : keepEqual(this.state.data, answer)
    this.#set({ data, error: null, dataUpdatedAt: Date.now(), isInvalidated: false })
  }

  /** Marks the response as stale. */
  invalidate(): void {
    this.#set({ isInvalidated: true })
  }

  async #call(controller: AbortController): Promise<T> {
    try {
      // The call starts once this one is registered as running.
      await Promise.resolve()
      const data = await patiently(() => this.options.queryFn(controller), controller.signal)
      if (this.#isOver(controller)) return this.#running?.promise ?? data
      this.#end()
      this.setData(data)
      return data
    } catch (error) {
      if (this.#isOver(controller)) {
        if (this.#running) return this.#running.promise
      } else {
        this.#end()
        this.#set({ error: error instanceof Error ? error : new Error(String(error)) })
      }
      throw error
    }
  }

  #isOver(controller: AbortController): boolean {
    return this.#running?.controller !== controller
  }

  #end(): void {
    this.#running = undefined
    this.state = { ...this.state, isFetching: false }
    if (this.#observers.size === 0) this.#forgetLater()
  }

  #set(change: Partial<QueryState<T>>): void {
    this.state = { ...this.state, ...change }
    this.version++
    for (const { listener } of [...this.#observers]) listener()
  }

  #forgetLater(): void {
    clearTimeout(this.#unusedTimer)
    this.#unusedTimer = setTimeout(() => {
      if (this.#observers.size === 0 && !this.#running) this.#onUnused()
    }, this.options.gcTime ?? KEEP_FOR)
  }
}

/** Only a lost connection is worth a retry; a refusal is final. */
async function patiently<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await call()
    } catch (error) {
      const passing = error instanceof ApiError && (error.status === 0 || error.status >= 502)
      if (!passing || failures >= RETRIES || isPointless(signal)) throw error
      await new Promise(resolve => setTimeout(resolve, FIRST_RETRY_AFTER * 2 ** failures))
      if (isPointless(signal)) throw error
    }
  }
}

/** No observer is left, or the server is known to be unreachable. */
function isPointless({ aborted }: AbortSignal): boolean {
  return aborted || !onlineStore.get()
}

function keepEqual<T>(before: T | undefined, now: T): T {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

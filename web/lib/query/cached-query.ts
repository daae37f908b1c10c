import { ApiError } from '../api.ts'
import { onlineStore } from '../online.ts'

/** Names what was asked for: queries of one key share their answer. Parts must survive JSON. */
export type QueryKey = readonly unknown[]

/** What to ask the server, and how long the answer is good for. Times are milliseconds. */
export interface QueryOptions<T> {
  queryKey: QueryKey
  queryFn: (call: { signal: AbortSignal }) => Promise<T>
  /** How long an answer counts as current; 5 s if left out. */
  staleTime?: number
  /** How long an answer is kept that nothing shows; 5 min if left out. */
  gcTime?: number
  /** Whether an answer that is no longer current is asked for again when the window is looked at; yes if left out. */
  refetchOnWindowFocus?: boolean | ((query: { state: QueryState<T> }) => boolean)
  /** The same for when the connection comes back; no if left out. */
  refetchOnReconnect?: boolean
  /** Whether an answer equal to the one before keeps its identity; yes if left out. */
  structuralSharing?: boolean
}

export interface QueryState<T> {
  /** The last answer; it stays when a later call fails. */
  data: T | undefined
  /** Why the last call failed. */
  error: Error | null
  /** When `data` came, in milliseconds since the epoch. */
  dataUpdatedAt: number
  isFetching: boolean
  /** Marked as out of date. */
  isInvalidated: boolean
}

/** Somebody who follows a query. */
export interface QueryObserver {
  /** Whether the query may be asked for by itself on their behalf. */
  enabled: boolean
  /** Called after every change of the state. */
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

/** One question to the server, its last answer, and who follows it. */
export class CachedQuery<T> {
  options: QueryOptions<T>
  state: QueryState<T> = { data: undefined, error: null, dataUpdatedAt: 0, isFetching: false, isInvalidated: false }
  /** Grows with every change of the state. */
  version = 0
  readonly #observers = new Set<QueryObserver>()
  readonly #onUnused: () => void
  #running: Running<T> | undefined
  #unusedTimer: ReturnType<typeof setTimeout> | undefined

  /** @param onUnused called when nobody has followed the query for its `gcTime` */
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

  /** @returns what ends it; a call that nobody follows any more is given up */
  subscribe(observer: QueryObserver): () => void {
    this.#observers.add(observer)
    clearTimeout(this.#unusedTimer)
    return () => {
      this.#observers.delete(observer)
      // Somebody else may take over in the same rendering.
      queueMicrotask(() => {
        if (this.#observers.size > 0) return
        this.cancel()
        this.#forgetLater()
      })
    }
  }

  /**
   * Asks the server; joins a call under way unless that is to be made `anew`: then after it where nothing is known yet,
   * else instead of it. Rejects with the call's error.
   */
  fetch({ anew = false } = {}): Promise<T> {
    if (this.#running && !anew) return this.#running.promise
    if (this.#running && this.state.data === undefined) return this.#running.promise.then(() => this.fetch())
    this.cancel()
    const controller = new AbortController()
    const running: Running<T> = { controller, promise: this.#call(controller) }
    running.promise.catch(() => undefined)
    this.#running = running
    this.#set({ isFetching: true, ...(this.state.data === undefined && { error: null }) })
    return running.promise
  }

  /** Gives up a call under way and makes another: one that has no answer for long may never get one. */
  restart(): Promise<T> {
    this.cancel()
    return this.fetch()
  }

  /** Gives up a call under way: what it would bring is out of date. */
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

  /** Marks the answer as out of date. */
  invalidate(): void {
    this.#set({ isInvalidated: true })
  }

  async #call(controller: AbortController): Promise<T> {
    try {
      // The call begins once this one is known as running.
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

/** Only a lost connection may come back by itself; a refusal stays one. */
async function patiently<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await call()
    } catch (error) {
      const passing = error instanceof ApiError && (error.status === 0 || error.status >= 502)
      if (!passing || failures >= RETRIES || isInVain(signal)) throw error
      await new Promise(resolve => setTimeout(resolve, FIRST_RETRY_AFTER * 2 ** failures))
      if (isInVain(signal)) throw error
    }
  }
}

/** Nobody wants it any more, or it is known that nobody would answer. */
function isInVain({ aborted }: AbortSignal): boolean {
  return aborted || !onlineStore.get()
}

function keepEqual<T>(before: T | undefined, now: T): T {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

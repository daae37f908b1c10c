import { ApiError } from '../api.ts'
import { onlineStore } from '../online.ts'
import { CachedQuery, type QueryKey, type QueryOptions } from './cached-query.ts'

/** Selects queries: those whose keys start with this one, or with `exact` only the one with this key. */
interface QueryFilter {
  queryKey: QueryKey
  exact?: boolean
}

/** The responses of the server, by key. */
export class QueryClient {
  readonly #queries = new Map<string, CachedQuery<unknown>>()
  readonly #invalidated = new Set<(key: QueryKey) => void>()

  /** Starts refetching stale queries on window focus and on a restored connection. */
  followWindow(): void {
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#refetchStale(query => wantsFocus(query))
    })
    onlineStore.subscribe(() => {
      if (onlineStore.get()) this.#refetchStale(query => isLost(query) || (query.options.refetchOnReconnect ?? false))
    })
  }

  /** The query of these options, created on first use. */
  query<T>(options: QueryOptions<T>): CachedQuery<T> {
    const hash = JSON.stringify(options.queryKey)
    // Every user of a key expects the same type of response.
    const known = this.#queries.get(hash) as CachedQuery<T> | undefined
    if (known) return known
    const query: CachedQuery<T> = new CachedQuery(options, () => {
      if (this.#queries.get(hash) === (query as unknown)) this.#queries.delete(hash)
    })
    this.#queries.set(hash, query as unknown as CachedQuery<unknown>)
    return query
  }

  /** The response if it is fresh, else a new one. Rejects with the call's error. */
  async fetchQuery<T>(options: QueryOptions<T>): Promise<T> {
    const query = this.query(options)
    query.options = options
    const { data } = query.state
    return data === undefined || query.isStale ? query.fetch() : data
  }

  /** The cached response. */
  getQueryData<T>(queryKey: QueryKey): T | undefined {
    return this.#queries.get(JSON.stringify(queryKey))?.state.data as T | undefined
  }

  /** Sets a response, or derives it from the previous one; `undefined` changes nothing. */
  setQueryData<T>(queryKey: QueryKey, change: T | ((before: T | undefined) => T | undefined)): void {
    const before = this.getQueryData<T>(queryKey)
    const data = change instanceof Function ? change(before) : change
    if (data === undefined) return
    const queryFn = () => Promise.reject(new Error('nothing was asked so far'))
    this.query<T>({ queryKey, queryFn }).setData(data)
  }

  /** Invalidates responses; observed ones are refetched. Resolves when they have settled. */
  async invalidateQueries(filter: QueryFilter): Promise<void> {
    const found = this.#find(filter)
    for (const query of found) {
      query.invalidate()
      for (const listener of this.#invalidated) listener(query.options.queryKey)
    }
    const active = found.filter(query => query.isActive)
    await Promise.allSettled(active.map(query => query.fetch({ fresh: true })))
  }

  /** Calls `listener` with the key of every invalidated query. @returns the function that unsubscribes */
  onInvalidated(listener: (key: QueryKey) => void): () => void {
    this.#invalidated.add(listener)
    return () => this.#invalidated.delete(listener)
  }

  /** Aborts calls under way. */
  cancelQueries(filter: QueryFilter): void {
    for (const query of this.#find(filter)) query.cancel()
  }

  /** Clears the cache. */
  clear(): void {
    for (const query of this.#queries.values()) query.cancel()
    this.#queries.clear()
  }

  #find({ queryKey, exact = false }: QueryFilter): CachedQuery<unknown>[] {
    const wanted = queryKey.map(part => JSON.stringify(part))
    return [...this.#queries.values()].filter(({ options: { queryKey: key } }) => {
      if (exact ? key.length !== wanted.length : key.length < wanted.length) return false
      return wanted.every((part, index) => part === JSON.stringify(key[index]))
    })
  }

  #refetchStale(wanted: (query: CachedQuery<unknown>) => boolean): void {
    for (const query of this.#queries.values()) {
      const outdated = query.isStale || isLost(query)
      if (query.isActive && outdated && wanted(query)) void query.fetch().catch(() => undefined)
    }
  }
}

function wantsFocus(query: CachedQuery<unknown>): boolean {
  const { refetchOnWindowFocus: wish = true } = query.options
  return typeof wish === 'function' ? wish(query) : wish
}

/** Whether its last call had no response. */
function isLost({ state: { error } }: CachedQuery<unknown>): boolean {
  return error instanceof ApiError && error.status === 0
}

/** The application's cache of server responses. */
export const queryClient = new QueryClient()

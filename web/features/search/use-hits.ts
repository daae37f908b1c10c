import { useCallback, useEffect, useRef, useState } from 'react'
import type { ContentState, SearchHit, TextMatch } from '../../../shared/api/search.ts'
import { type FilePath, parsePath, ROOT } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { useOnline } from '../../lib/online.ts'
import { onFoldersChanged } from '../files/api/list.ts'
import { searchBelow } from './api/search.ts'
import { recentResults } from './recent-results.ts'
import { searchNow } from './store.ts'

/** The usual debounce. */
const PAUSE = 350
/** Maximum number of results; the search ends there. */
export const MAX_HITS = 10_000

/** A result, with its path inside the scope. */
export interface Hit {
  path: FilePath
  isDir: boolean
  /** The matching line in its text. */
  match?: TextMatch | undefined
  /** Bytes; of a file, if details are wanted. */
  size?: number | undefined
  /** RFC 3339, if details are wanted. */
  modified?: string | undefined
}

export interface Hits {
  hits: readonly Hit[]
  /** Progress of the content index, for a search in contents. */
  contents: ContentState | undefined
  /** Number of unreadable folders. */
  unread: number
  state: 'idle' | 'searching' | 'done' | 'stopped' | 'truncated' | 'failed'
  /** The error of a failed search. */
  error: unknown
  /** The query, folder and search that these belong to. */
  query: string
  folder: FilePath
  run: number
}

type SetHits = (change: (now: Hits) => Hits) => void

const IDLE: Hits = {
  hits: [],
  contents: undefined,
  unread: 0,
  state: 'idle',
  error: undefined,
  query: '',
  folder: ROOT,
  run: 0,
}

const recent = recentResults<Hits>()

/** A search request. */
export interface Wanted {
  /** Trimmed; empty for no search. */
  query: string
  folder: FilePath
  /** A change of it searches at once. */
  asked: number
  /** Debounce of the input in milliseconds. */
  pause?: number
  /** Whether results have size and time. */
  details?: boolean
  /** Whether to begin with the results of the same search, if they are kept. */
  recalls?: boolean
}

/** Searches with a debounce; each search aborts the previous one. */
export function useHits(wanted: Wanted): Hits & { stop: () => void } {
  const { query, folder, asked, pause = PAUSE, details = false, recalls = false } = wanted
  const recalled = useRef(recalls ? recent.of({ query, folder }) : undefined)
  const [found, setFound] = useState(recalled.current ?? IDLE)
  const call = useRef<AbortController>(undefined)
  const lastAsked = useRef(asked)
  useEffect(() => {
    if (query === '') return setFound(IDLE)
    const own = new AbortController()
    call.current = own
    const search = { query, folder, details, signal: own.signal }
    const begin = recalled.current ? collectAgain : collect
    recalled.current = undefined
    const wait = lastAsked.current === asked ? pause : 0
    lastAsked.current = asked
    const timer = setTimeout(() => void begin(search, setFound, () => own.abort()), wait)
    return () => {
      clearTimeout(timer)
      own.abort()
    }
  }, [query, folder, asked, pause, details])
  useEffect(() => {
    if (details && SETTLED.includes(found.state)) recent.keep(found)
  }, [details, found])
  useRetryOnline(found)
  useFreshHits(found, { query, folder, details }, setFound)
  const stop = useCallback(() => {
    call.current?.abort()
    setFound(now => ({ ...now, state: 'stopped' }))
  }, [])
  return { ...found, stop }
}

interface Search {
  query: string
  folder: FilePath
  details: boolean
  signal: AbortSignal
}

async function collect(search: Search, setFound: SetHits, abort: () => void): Promise<void> {
  const { query, folder, details, signal } = search
  // The caller that aborts reports it.
  const update = (change: Partial<Hits>) => !signal.aborted && setFound(now => ({ ...now, ...change }))
  setFound(now => ({ ...IDLE, state: 'searching', query, folder, run: now.run + 1 }))
  let hits: readonly Hit[] = []
  try {
    const { found, contents } = await searchBelow(folder, query, signal, details)
    update({ contents })
    for await (const { hits: more, unread } of found) {
      hits = [...hits, ...more.map(hit => toHit(hit, folder))]
      const full = hits.length >= MAX_HITS
      update(full ? { hits: hits.slice(0, MAX_HITS), state: 'truncated' } : { hits, unread })
      if (full) abort()
    }
    update({ state: 'done' })
  } catch (error) {
    update({ state: 'failed', error })
  }
}

const SETTLED: readonly Hits['state'][] = ['done', 'truncated']

/** Milliseconds until the search is repeated while contents are still being indexed. */
const READING = 3000

/** Repeats the search after changes or indexing; the results stay until the response is complete. */
function useFreshHits(
  { state, contents }: Hits,
  { query, folder, details }: Omit<Search, 'signal'>,
  setFound: SetHits,
): void {
  const settled = SETTLED.includes(state)
  useEffect(() => {
    if (!settled) return
    let call: AbortController | undefined
    const again = () => {
      call?.abort()
      const own = new AbortController()
      call = own
      void collectAgain({ query, folder, details, signal: own.signal }, setFound, () => own.abort())
    }
    const stop = onFoldersChanged(again)
    const timer = contents === 'building' ? setInterval(again, READING) : undefined
    return () => {
      stop()
      clearInterval(timer)
      call?.abort()
    }
  }, [settled, contents, query, folder, details, setFound])
}

/** The previous results stay when this fails. */
async function collectAgain(search: Search, setFound: SetHits, abort: () => void): Promise<void> {
  const { query, folder, details, signal } = search
  const hits: Hit[] = []
  let contents: ContentState | undefined
  let unread = 0
  try {
    const answer = await searchBelow(folder, query, signal, details)
    contents = answer.contents
    for await (const more of answer.found) {
      hits.push(...more.hits.map(hit => toHit(hit, folder)))
      unread = more.unread
      if (hits.length >= MAX_HITS) break
    }
  } catch {
    return
  }
  const full = hits.length >= MAX_HITS
  if (!signal.aborted)
    setFound(now => ({ ...now, contents, unread, hits: hits.slice(0, MAX_HITS), state: full ? 'truncated' : 'done' }))
  abort()
}

function toHit({ path, dir, ...facts }: SearchHit, folder: FilePath): Hit {
  return { path: parsePath(folder === '/' ? path : `${folder}/${path}`), isDir: dir, ...facts }
}

/** A search that failed without a connection is repeated once there is one. */
function useRetryOnline({ state, error }: Hits): void {
  const online = useOnline()
  const lost = state === 'failed' && error instanceof ApiError && error.status === 0
  const wasOnline = useRef(online)
  useEffect(() => {
    const back = online && !wasOnline.current
    wasOnline.current = online
    if (back && lost) searchNow()
  }, [online, lost])
}

import { useCallback, useEffect, useRef, useState } from 'react'
import type { ContentState, SearchHit, TextMatch } from '../../../shared/api/search.ts'
import { type FilePath, parsePath } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { useOnline } from '../../lib/online.ts'
import { onFoldersChanged } from '../files/api/list.ts'
import { searchBelow } from './api/search.ts'
import { searchNow } from './store.ts'

/** Milliseconds without a key after which what was typed is searched for. */
const PAUSE = 350
/** Results after which a search ends: nobody looks through more. */
export const MAX_HITS = 10_000

/** Something found, with its path inside the scope. */
export interface Hit {
  path: FilePath
  isDir: boolean
  /** Where in its text. */
  match?: TextMatch | undefined
}

export interface Hits {
  hits: readonly Hit[]
  /** How much of the contents was searched, for a search in contents. */
  contents: ContentState | undefined
  /** Folders that could not be looked into. */
  unread: number
  state: 'idle' | 'searching' | 'done' | 'stopped' | 'truncated' | 'failed'
  /** Why it failed. */
  error: unknown
  /** The search text these are for, and which search it was. */
  query: string
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
  run: 0,
}

/** What is to be searched for. */
export interface Wanted {
  /** Trimmed; nothing is done for an empty one. */
  query: string
  folder: FilePath
  /** A change of it searches at once. */
  asked: number
}

/** Searches when somebody pauses typing; an older search ends with the next one. */
export function useHits({ query, folder, asked }: Wanted): Hits & { stop: () => void } {
  const [found, setFound] = useState(IDLE)
  const call = useRef<AbortController>(undefined)
  const lastAsked = useRef(asked)
  useEffect(() => {
    if (query === '') return setFound(IDLE)
    const own = new AbortController()
    call.current = own
    const pause = lastAsked.current === asked ? PAUSE : 0
    lastAsked.current = asked
    const timer = setTimeout(() => void collect(query, folder, own, setFound), pause)
    return () => {
      clearTimeout(timer)
      own.abort()
    }
  }, [query, folder, asked])
  useRetryOnline(found)
  useFreshHits(found, { query, folder }, setFound)
  const stop = useCallback(() => {
    call.current?.abort()
    setFound(now => ({ ...now, state: 'stopped' }))
  }, [])
  return { ...found, stop }
}

async function collect(query: string, folder: FilePath, call: AbortController, setFound: SetHits): Promise<void> {
  const { signal } = call
  // An abort is told by whoever aborts.
  const update = (change: Partial<Hits>) => !signal.aborted && setFound(now => ({ ...now, ...change }))
  setFound(now => ({ ...IDLE, state: 'searching', query, run: now.run + 1 }))
  let hits: readonly Hit[] = []
  try {
    const { found, contents } = await searchBelow(folder, query, signal)
    update({ contents })
    for await (const { hits: more, unread } of found) {
      hits = [...hits, ...more.map(hit => toHit(hit, folder))]
      const full = hits.length >= MAX_HITS
      update(full ? { hits: hits.slice(0, MAX_HITS), state: 'truncated' } : { hits, unread })
      if (full) call.abort()
    }
    update({ state: 'done' })
  } catch (error) {
    update({ state: 'failed', error })
  }
}

const SETTLED: readonly Hits['state'][] = ['done', 'truncated']

/** Milliseconds after which contents that are still being read are searched once more. */
const READING = 3000

/** Searches once more when something was changed or read; what is shown stays until the answer is complete. */
function useFreshHits(
  { state, contents }: Hits,
  { query, folder }: Pick<Wanted, 'query' | 'folder'>,
  setFound: SetHits,
): void {
  const settled = SETTLED.includes(state)
  useEffect(() => {
    if (!settled) return
    let call: AbortController | undefined
    const again = () => {
      call?.abort()
      call = new AbortController()
      void collectAgain(query, folder, call, setFound)
    }
    const stop = onFoldersChanged(again)
    const timer = contents === 'building' ? setInterval(again, READING) : undefined
    return () => {
      stop()
      clearInterval(timer)
      call?.abort()
    }
  }, [settled, contents, query, folder, setFound])
}

/** What was found before stays when this fails. */
async function collectAgain(query: string, folder: FilePath, call: AbortController, setFound: SetHits): Promise<void> {
  const hits: Hit[] = []
  let contents: ContentState | undefined
  let unread = 0
  try {
    const answer = await searchBelow(folder, query, call.signal)
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
  if (!call.signal.aborted)
    setFound(now => ({ ...now, contents, unread, hits: hits.slice(0, MAX_HITS), state: full ? 'truncated' : 'done' }))
  call.abort()
}

function toHit({ path, dir, match }: SearchHit, folder: FilePath): Hit {
  return { path: parsePath(folder === '/' ? path : `${folder}/${path}`), isDir: dir, match }
}

/** What failed without a connection is done again once there is one. */
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

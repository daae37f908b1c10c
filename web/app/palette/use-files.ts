import { useEffect, useState } from 'react'
import { ROOT } from '../../../shared/path.ts'
import { recentQuery } from '../../features/marks/api/marks.ts'
import { searchBelow } from '../../features/search/api/search.ts'
import { useQuery } from '../../lib/query.ts'
import { type Entry, fileEntry } from './entries.tsx'

/** Milliseconds without a key until files are searched. */
const PAUSE = 200
/** Files that the palette lists; the search page has them all. */
const MOST = 8
const MOST_RECENT = 5

/** The files and folders whose names match, everywhere. Without a text, and while it is unanswered: none. */
export function useFoundFiles(text: string): readonly Entry[] {
  const [found, setFound] = useState<{ text: string; entries: readonly Entry[] }>({ text: '', entries: [] })
  useEffect(() => {
    if (text === '') return
    const call = new AbortController()
    const look = async () => {
      const entries = await firstFiles(text, call).catch(() => [])
      if (!call.signal.aborted) setFound({ text, entries })
    }
    const timer = setTimeout(() => void look(), PAUSE)
    return () => {
      clearTimeout(timer)
      call.abort()
    }
  }, [text])
  return found.text === text && text !== '' ? found.entries : []
}

async function firstFiles(text: string, { signal }: AbortController): Promise<Entry[]> {
  const entries: Entry[] = []
  const own = new AbortController()
  const { found } = await searchBelow(ROOT, text, AbortSignal.any([signal, own.signal]))
  for await (const { hits } of found) {
    entries.push(...hits.map(({ path, dir }) => fileEntry({ path: `/${path}`, isDir: dir })))
    if (entries.length >= MOST) break
  }
  own.abort()
  return entries.slice(0, MOST)
}

/** What the user opened last. */
export function useRecentFiles(): readonly Entry[] {
  const { data } = useQuery(recentQuery)
  return data?.opened.slice(0, MOST_RECENT).map(fileEntry) ?? []
}

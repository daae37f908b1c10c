import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { useEffect, useRef, useState } from 'react'
import { MAX_MATCHES, type Match, matchesIn, textOfPage } from './page-text.ts'

/** Debounce of the search in milliseconds. */
const PAUSE = 200

export interface Search {
  matches: readonly Match[]
  /** Index of the current match. */
  index: number
  current: Match | undefined
  /** Pages are still being searched. */
  searching: boolean
  look(words: string): void
  /**
   * @param by `1` for the next one, `-1` for the previous one
   */
  step(by: number): void
}

interface Found {
  matches: readonly Match[]
  index: number
  searching: boolean
}

const NOTHING: Found = { matches: [], index: 0, searching: false }

/** Searches a document page by page, from the page in view. */
export function useSearch(document: PDFDocumentProxy, page: number): Search {
  const [words, setWords] = useState('')
  const [found, setFound] = useState(NOTHING)
  const texts = useRef(new Map<number, string>())
  const from = useRef(page)
  useEffect(() => {
    from.current = page
  }, [page])
  useEffect(() => {
    if (words.trim() === '') return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      search(document, words, from.current, texts.current, stop.signal, setFound).catch(() => setFound(NOTHING))
    }, PAUSE)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [document, words])
  return {
    ...found,
    current: found.matches[found.index],
    look: text => {
      setWords(text)
      setFound(text.trim() === '' ? NOTHING : { ...NOTHING, searching: true })
    },
    step: by => {
      setFound(now => ({ ...now, index: (now.index + by + now.matches.length) % Math.max(1, now.matches.length) }))
    },
  }
}

async function search(
  document: PDFDocumentProxy,
  words: string,
  from: number,
  texts: Map<number, string>,
  signal: AbortSignal,
  tell: (update: (before: Found) => Found) => void,
): Promise<void> {
  let matches: Match[] = []
  let chosen = -1
  for (let page = 1; page <= document.numPages && matches.length < MAX_MATCHES; page += 1) {
    const text = texts.get(page) ?? (await textOfPage(document, page)).text
    if (signal.aborted) return
    texts.set(page, text)
    const more = matchesIn(text, words, page)
    if (more.length === 0) continue
    const first = chosen < 0 && page >= from ? matches.length : -1
    matches = [...matches, ...more]
    if (first >= 0) chosen = first
    const shown = matches
    tell(before => ({ matches: shown, index: first >= 0 ? first : before.index, searching: true }))
  }
  if (!signal.aborted) tell(before => ({ ...before, matches, searching: false }))
}

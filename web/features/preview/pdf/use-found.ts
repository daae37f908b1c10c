import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Place } from './destination.ts'
import { clearFound, type DrawnText, rangesOf, showFound } from './highlight.ts'
import type { Match } from './page-text.ts'
import type { Search } from './use-search.ts'

/** Receives the text layer of a rendered page, `undefined` when it is removed. */
export type OnText = (page: number, drawn: DrawnText | undefined) => void

/** Highlights matches on rendered pages, and scrolls to the current one. */
export function useFound({ matches, current }: Search, goTo: (place: Place) => void): OnText {
  const [texts, setTexts] = useState<ReadonlyMap<number, DrawnText>>(new Map())
  const reached = useRef<Match>(undefined)
  const go = useEffectEvent(goTo)
  useEffect(() => {
    const onPage = (page: number) => matches.filter(match => match.page === page)
    const found = [...texts].flatMap(([page, drawn]) => rangesOf(drawn, onPage(page)))
    const drawn = current && texts.get(current.page)
    const [range] = drawn ? rangesOf(drawn, [current]) : []
    showFound(found, range)
    if (!current || reached.current === current) return
    if (!range) return go({ page: current.page, share: 0 })
    reached.current = current
    range.startContainer.parentElement?.scrollIntoView({ block: 'center', inline: 'nearest' })
  }, [matches, current, texts])
  useEffect(() => clearFound, [])
  return (page, drawn) =>
    setTexts(before => {
      const now = new Map(before)
      if (drawn) now.set(page, drawn)
      else now.delete(page)
      return now
    })
}

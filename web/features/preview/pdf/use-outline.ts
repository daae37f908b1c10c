import { useEffect, useState } from 'react'
import type { Heading } from '../document/contents.tsx'
import type { Pdf } from './use-pdf.ts'

/** An item in the outline of a document, with its target. */
export interface OutlineHeading extends Heading {
  destination: unknown
}

/** The outline as the library returns it. */
interface Item {
  title: string
  dest: unknown
  items: readonly Item[]
}

/** The outline of a document; empty without one, or while it loads. */
export function useOutline({ document }: Pdf): readonly OutlineHeading[] {
  const [headings, setHeadings] = useState<readonly OutlineHeading[]>([])
  useEffect(() => {
    let gone = false
    document.getOutline().then(
      (outline: readonly Item[] | null) => !gone && setHeadings(headingsOf(outline ?? [])),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [document])
  return headings
}

function headingsOf(items: readonly Item[], level = 0, above = ''): OutlineHeading[] {
  return items.flatMap(({ title, dest, items: below }, index) => {
    const id = `${above}${index}`
    const heading = { id, title, level, destination: dest, leads: Boolean(dest) }
    return [heading, ...headingsOf(below, level + 1, `${id}.`)]
  })
}

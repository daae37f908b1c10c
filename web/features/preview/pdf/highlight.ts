import { type Match, type PageText, pieceAt } from './page-text.ts'

/** Highlight names styled by the style sheet (CSS Custom Highlight API). */
const FOUND = 'pdf-found'
const CURRENT = 'pdf-current'

/** A page with its text layer. */
export interface DrawnText extends PageText {
  /** An element for each piece. */
  elements: readonly HTMLElement[]
}

/** Ranges of the matches on a rendered page. */
export function rangesOf(drawn: DrawnText, matches: readonly Match[]): Range[] {
  return matches.flatMap(({ start, end }) => {
    const from = placeOf(drawn, start)
    const to = placeOf(drawn, end - 1)
    if (!from || !to) return []
    const range = document.createRange()
    range.setStart(from.node, from.offset)
    range.setEnd(to.node, Math.min(to.offset + 1, to.node.length))
    return [range]
  })
}

function placeOf(drawn: DrawnText, position: number): { node: Text; offset: number } | undefined {
  const piece = pieceAt(drawn, position)
  const node = drawn.elements[piece]?.firstChild
  if (!(node instanceof Text)) return undefined
  return { node, offset: Math.min(node.length, position - (drawn.starts[piece] ?? 0)) }
}

/** Highlights matches; without browser support only their position is shown. */
export function showFound(found: readonly Range[], current: Range | undefined): void {
  if (!('highlights' in CSS)) return
  CSS.highlights.set(FOUND, new Highlight(...found))
  CSS.highlights.set(CURRENT, new Highlight(...(current ? [current] : [])))
}

export function clearFound(): void {
  if (!('highlights' in CSS)) return
  CSS.highlights.delete(FOUND)
  CSS.highlights.delete(CURRENT)
}

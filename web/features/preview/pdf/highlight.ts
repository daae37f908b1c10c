import { type Match, type PageText, pieceAt } from './page-text.ts'

/** Names under which the style sheet colours what was found (CSS Custom Highlight API). */
const FOUND = 'pdf-found'
const CURRENT = 'pdf-current'

/** A page whose text lies over its picture. */
export interface DrawnText extends PageText {
  /** An element for each piece. */
  elements: readonly HTMLElement[]
}

/** Where matches stand on a page that is drawn. */
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

/** Colours what was found; browsers that can't do so only show the place. */
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

import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Text of a page in the items it is drawn in. */
export interface PageText {
  /** All items, with a space at line ends. */
  text: string
  /** Offset of each item in it. */
  starts: readonly number[]
}

/** A match in a document. */
export interface Match {
  /** From 1. */
  page: number
  /** Offset in the text of the page, in UTF-16 code units. */
  start: number
  end: number
}

/** Maximum number of matches. */
export const MAX_MATCHES = 5000

/** The text of a page. @param page from 1 */
export async function textOfPage(document: PDFDocumentProxy, page: number): Promise<PageText> {
  const { items } = await (await document.getPage(page)).getTextContent()
  return joined(items.flatMap(item => ('str' in item ? [item] : [])))
}

export function joined(pieces: readonly { str: string; hasEOL: boolean }[]): PageText {
  const starts: number[] = []
  let text = ''
  for (const { str, hasEOL } of pieces) {
    starts.push(text.length)
    text += hasEOL ? `${str} ` : str
  }
  return { text, starts }
}

/** The offsets of a query in the text of a page, ignoring case. */
export function matchesIn(text: string, words: string, page: number): Match[] {
  const wanted = folded(words.trim().replace(/\s+/g, ' '))
  if (wanted === '') return []
  const found: Match[] = []
  const searched = folded(text)
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + wanted.length)) {
    found.push({ page, start: at, end: at + wanted.length })
  }
  return found
}

/** Lower-cased character by character: offsets stay the same. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from(text, letter =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  ).join('')
}

/** The text item at an offset. */
export function pieceAt({ starts }: PageText, position: number): number {
  return Math.max(
    0,
    starts.findLastIndex(start => start <= position),
  )
}

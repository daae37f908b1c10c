import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** Text of a page in the pieces that it is drawn in. */
export interface PageText {
  /** All pieces, with a blank where a line ends. */
  text: string
  /** Where each piece begins in it. */
  starts: readonly number[]
}

/** A place in a document where something was found. */
export interface Match {
  /** From 1. */
  page: number
  /** Position in the text of the page, in UTF-16 code units. */
  start: number
  end: number
}

/** Places that are found at most. */
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

/** Where words stand in the text of a page, whatever their case. */
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

/** In lower case, letter by letter: positions stay what they are. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from(text, letter =>
    letter.toLowerCase().length === letter.length ? letter.toLowerCase() : letter,
  ).join('')
}

/** The piece that a position lies in. */
export function pieceAt({ starts }: PageText, position: number): number {
  return Math.max(
    0,
    starts.findLastIndex(start => start <= position),
  )
}

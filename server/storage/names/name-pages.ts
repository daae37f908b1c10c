import { decodeEscapes, escapeBytes } from '../../../shared/bytes.ts'

/**
 * The names of a folder in pages, each a piece of the sorted list: one row of the index holds many names, and a change
 * rewrites a page and not a folder. Where a page ends depends on the names near it alone.
 */
export interface Page {
  /** In the order of a walk. */
  names: string[]
  /** One a name; see `FACTS`. */
  facts: Float64Array<ArrayBuffer>
  /** One a name; see `Known`. */
  disks: Float64Array<ArrayBuffer>
}

/** What is known of a name in a folder. */
export interface Known {
  fact: number
  /** Bytes that a file takes on the disk; of one with several names, each is told its part. */
  disk: number
}

export interface Item extends Known {
  name: string
}

/**
 * Facts are the bytes of a file, or one of these. What a link is depends on who asks. `unread` is never kept, but told of
 * folders that could not be read.
 */
export const FACTS = { folder: -1, link: -2, special: -3, unread: -4 } as const

/** A name whose hash is a multiple of this ends its page. */
const ENDS_PAGE = 64
const MOST_NAMES = 256

/** @param items sorted by name */
export function pagesOf(items: readonly Item[]): Page[] {
  const pages: Page[] = []
  let from = 0
  for (const [index, { name }] of items.entries()) {
    const count = index + 1 - from
    if (index + 1 < items.length && count < MOST_NAMES && hash(name) % ENDS_PAGE !== 0) continue
    const part = items.slice(from, index + 1)
    pages.push({
      names: part.map(item => item.name),
      facts: Float64Array.from(part, item => item.fact),
      disks: Float64Array.from(part, item => item.disk),
    })
    from = index + 1
  }
  return pages
}

/** FNV-1a over UTF-16 units. */
function hash(name: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < name.length; at++) sum = Math.imul(sum ^ name.charCodeAt(at), 0x01000193)
  return sum >>> 0
}

/** No name can hold it. */
const SEPARATOR = '/'

/** The names as text for a database: one with bytes that are not UTF-8 is escaped, and begins with a separator. */
export function toPageText(names: readonly string[]): string {
  const text = names.join(SEPARATOR)
  return text.isWellFormed() ? text : SEPARATOR + escapeBytes(text)
}

/** Whether a text of `toPageText` holds other signs than the names. */
export const isEscaped = (text: string): boolean => text.startsWith(SEPARATOR)

export function fromPageText(text: string): string[] {
  const plain = isEscaped(text) ? (decodeEscapes(text.slice(1)) ?? '') : text
  return plain.split(SEPARATOR)
}

/** The first of the names in a text of `toPageText`. */
function firstIn(text: string): string {
  if (isEscaped(text)) return fromPageText(text)[0] ?? ''
  const end = text.indexOf(SEPARATOR)
  return end < 0 ? text : text.slice(0, end)
}

/**
 * A text whose parts can be looked for, whatever their case: if one text holds another, so do their foldings. The small
 * sigma at the end of a word is the one letter whose lower case depends on what follows.
 */
export function foldText(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

/** Signs that are looked up together. */
export const GRAM = 3

/** What the index of parts is told of a page. The end lets the last one or two signs of a name begin a gram, too. */
export function gramText(names: readonly string[]): string {
  return `${foldText(names.join(SEPARATOR)).toWellFormed()}${SEPARATOR.repeat(GRAM - 1)}`
}

/** How many of the names in a page are folders. */
export const foldersIn = ({ facts }: Page): number => facts.filter(fact => fact === FACTS.folder).length

/** Lays the pages of a folder in order. */
export function inPageOrder<T extends { text: string }>(pages: T[]): T[] {
  if (pages.length < 2) return pages
  const first = new Map(pages.map(page => [page, firstIn(page.text)]))
  return pages.sort((a, b) => ((first.get(a) ?? '') < (first.get(b) ?? '') ? -1 : 1))
}

/** Numbers as bytes for a database. */
export const blobOf = ({ buffer, byteOffset, byteLength }: Float64Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** The numbers in such bytes; none in anything else. */
export const numbersIn = (blob: unknown): Float64Array<ArrayBuffer> =>
  blob instanceof Uint8Array ? new Float64Array(blob.slice().buffer) : new Float64Array()

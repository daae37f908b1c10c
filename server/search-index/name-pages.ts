import { decodeEscapes, escapeBytes } from '../../shared/bytes.ts'
import { FACTS, foldText, type Hit, type Item } from '../storage/found-names.ts'

/**
 * A page of a folder's sorted names: one row of the index holds many names, and a change rewrites a page, not a folder.
 * Page boundaries depend on nearby names only.
 */
export interface Page {
  /** In walk order. */
  names: string[]
  /** One for each name; see `FACTS`. */
  facts: Float64Array<ArrayBuffer>
  /** One for each name; see `Known`. */
  disks: Float64Array<ArrayBuffer>
}

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

/** No name contains it. */
const SEPARATOR = '/'

/**
 * Names as text for a database: if one contains bytes that are not UTF-8 the text is escaped, and begins with a
 * separator.
 */
export function toPageText(names: readonly string[]): string {
  const text = names.join(SEPARATOR)
  return text.isWellFormed() ? text : SEPARATOR + escapeBytes(text)
}

/** Whether a text from `toPageText` is escaped. */
const isEscaped = (text: string): boolean => text.startsWith(SEPARATOR)

export function fromPageText(text: string): string[] {
  const plain = isEscaped(text) ? (decodeEscapes(text.slice(1)) ?? '') : text
  return plain.split(SEPARATOR)
}

/** The first name in a text from `toPageText`. */
function firstIn(text: string): string {
  if (isEscaped(text)) return fromPageText(text)[0] ?? ''
  const end = text.indexOf(SEPARATOR)
  return end < 0 ? text : text.slice(0, end)
}

/** Characters of an n-gram. */
export const GRAM = 3

/**
 * The text of a page for the trigram index. The end marker lets the last one or two characters of a name begin a gram,
 * too.
 */
export function gramText(names: readonly string[]): string {
  return `${foldText(names.join(SEPARATOR)).toWellFormed()}${SEPARATOR.repeat(GRAM - 1)}`
}

/** Number of folders among the names of a page. */
export const foldersIn = ({ facts }: Page): number => facts.filter(fact => fact === FACTS.folder).length

/** Sorts the pages of a folder. */
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
  blob instanceof Uint8Array ? new Float64Array(new Uint8Array(blob).buffer) : new Float64Array()

/** Walk order: a folder comes before its content, and paths are compared name by name. */
export function inOrder(hits: Hit[]): Hit[] {
  const keyed = hits.map(hit => ({ hit, key: orderOf(hit.path) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ hit }) => hit)
}

/** Sort key of a path in walk order. */
export const orderOf = (path: string): string => path.replaceAll('/', '\0')

/** Maximum number of candidate pages; beyond that walking in order is no slower. */
export const MOST_PAGES = 1024
/** Pages that are walked before the trigram index is queried: frequent words are found sooner by walking. */
export const FIRST_LOOK = 64

/** Upper estimate of a count from a sample (two standard deviations more, and two). */
export const likely = (met: number) => met + 2 * Math.sqrt(met) + 2

/** Indexes of the names in a page that contain one of the words. */
export function matchesIn({ text }: { text: string }, words: readonly string[]): number[] {
  // Folding a page is quicker than folding each name, but an escaped text differs from the names.
  const whole = isEscaped(text) ? undefined : foldText(text)
  if (whole !== undefined && words.length > 0 && !words.some(word => whole.includes(word))) return []
  const folded = whole === undefined ? fromPageText(text).map(foldText) : fromPageText(whole)
  const matches: number[] = []
  for (const [index, name] of folded.entries()) {
    if (words.length === 0 || words.some(word => name.includes(word))) matches.push(index)
  }
  return matches
}

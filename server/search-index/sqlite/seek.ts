import type { KnownSum } from '../../storage/driver.ts'
import { FACTS, type Hit, partsOf } from '../../storage/found-names.ts'
import { type KnownFolder, TOP } from '../index-store.ts'
import {
  FIRST_LOOK,
  fromPageText,
  GRAM,
  inOrder,
  likely,
  MOST_PAGES,
  matchesIn,
  orderOf,
  type Page,
} from '../name-pages.ts'

/** A page as it is stored. */
export interface KeptPage {
  id: number
  folder: number
  /** From `toPageText`. */
  text: string
  /** Number of folders among the names. */
  folders: number
}

/** What a search reads; see `SqliteStore`. */
interface Searched {
  countPages(): number
  /** The pages of a folder, in order. */
  pages(folder: number): KeptPage[]
  /** The facts of the names in a page. */
  known(page: KeptPage): Pick<Page, 'facts' | 'disks'>
  children(parent: number): KnownFolder[]
  /** A folder's own name and its parent; `undefined` for one that is being removed. */
  place(id: number): { parent: number; name: string } | undefined
  sums(folder: number): { all: KnownSum }
  /** All folders that could not be read. */
  unread(): number[]
  /** Pages that match an FTS5 expression. */
  pagesWith(expression: string, most: number): KeptPage[]
  /** Existing grams with a prefix. */
  gramsFrom(start: string, most: number): string[]
}

/** Words, or grams that short words begin, that are queried together. */
const MOST_PHRASES = 128
/** Words shorter than a gram that are queried together: each takes milliseconds. */
const MOST_SHORT = 4

/** See `IndexStore.seek`; yields after each page. */
export function* seek(store: Searched, folder: number, words: readonly string[]): Generator<Hit[]> {
  yield* seekNames(store, folder, words)
  if (store.sums(folder).all.unread > 0) yield unreadBelow(store, folder)
}

function unreadBelow(store: Searched, folder: number): Hit[] {
  const places = new Map<number, string | undefined>([[folder, '']])
  const starts = store.unread().map(id => below(store, id, places))
  const paths = starts.filter(start => start !== undefined).map(start => start.slice(0, -1))
  return inOrder(paths.map(path => ({ path, fact: FACTS.unread, disk: 0 })))
}

/** Walks, until a count of the matches shows that the trigrams find the rest sooner. */
function* seekNames(store: Searched, folder: number, words: readonly string[]): Generator<Hit[]> {
  const parts = partsOf(words)
  if (parts.length === 0 && words.length > 0) return
  let [walked, withHits, nextLook] = [0, 0, parts.length > 0 ? FIRST_LOOK : Number.POSITIVE_INFINITY]
  let last: Hit | undefined
  for (const hits of walkNames(store, folder, parts)) {
    yield hits
    last = hits.at(-1) ?? last
    walked += 1
    withHits += Math.min(1, hits.length)
    if (walked < nextLook) continue
    nextLook *= 2
    if ((likely(withHits) / walked) * store.countPages() > MOST_PAGES) continue
    const pages = pagesWith(store, parts)
    if (pages) return yield fewHits(store, folder, parts, pages, last)
    nextLook = Number.POSITIVE_INFINITY
  }
}

/** Pages that may contain one of the words; `undefined` if there are too many, or they cannot be queried. */
function pagesWith(store: Searched, words: readonly string[]): KeptPage[] | undefined {
  const expression = expressionOf(store, words)
  if (expression === undefined) return undefined
  const pages = expression === '' ? [] : store.pagesWith(expression, MOST_PAGES + 1)
  return pages.length <= MOST_PAGES ? pages : undefined
}

const isShort = (word: string) => Array.from(word).length < GRAM

/** The FTS5 expression; `''` if nothing can match, `undefined` if it cannot be expressed. */
function expressionOf(store: Searched, words: readonly string[]): string | undefined {
  if (words.length === 0 || words.filter(isShort).length > MOST_SHORT) return undefined
  const alternatives: string[] = []
  for (const word of words) {
    // Bytes that are not UTF-8 are not in the trigram index.
    if (!word.isWellFormed()) return undefined
    const phrases = isShort(word) ? store.gramsFrom(word, MOST_PHRASES + 1) : [word]
    alternatives.push(...phrases.map(phrase => `"${phrase.replaceAll('"', '""')}"`))
    if (alternatives.length > MOST_PHRASES) return undefined
  }
  return alternatives.join(' OR ')
}

/** The matches in some pages, sorted; only those after the last one that was met. */
function fewHits(
  store: Searched,
  folder: number,
  words: readonly string[],
  pages: readonly KeptPage[],
  last: Hit | undefined,
): Hit[] {
  const places = new Map<number, string | undefined>([[folder, '']])
  const hits: Hit[] = []
  for (const page of pages) {
    const start = below(store, page.folder, places)
    if (start === undefined) continue
    hits.push(...itemsOf(store, page, start, matchesIn(page, words)))
  }
  const from = last && orderOf(last.path)
  return inOrder(from === undefined ? hits : hits.filter(hit => orderOf(hit.path) > from))
}

/** Path prefixes of folders, with a cache; `undefined` for a folder outside the queried one. */
export function below(
  store: Pick<Searched, 'place'>,
  id: number,
  places: Map<number, string | undefined>,
): string | undefined {
  const trail: { id: number; name: string }[] = []
  let at = id
  while (!places.has(at)) {
    const place = at === TOP ? undefined : store.place(at)
    if (!place) {
      for (const { id: passed } of trail) places.set(passed, undefined)
      return undefined
    }
    trail.push({ id: at, name: place.name })
    at = place.parent
  }
  let start = places.get(at)
  for (const { id: passed, name } of trail.reverse()) {
    if (start !== undefined) start = `${start}${name}/`
    places.set(passed, start)
  }
  return start
}

/** A folder on the way. */
interface Level {
  /** Prefix of the paths in it. */
  start: string
  /** The rest of its pages, a stack. */
  pages: KeptPage[]
  folders: ReadonlyMap<string, number>
  /** The rest of the current page, a stack: hits, and folders. */
  rest: { item: Hit; isFound: boolean }[]
}

function* walkNames(store: Searched, folder: number, words: readonly string[]): Generator<Hit[]> {
  const levels = [enter(store, folder, '')]
  let hits: Hit[] = []
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const next = level.rest.pop()
    if (next) {
      const { item, isFound } = next
      if (isFound) hits.push(item)
      const inner = item.fact === FACTS.folder ? level.folders.get(item.path.slice(level.start.length)) : undefined
      if (inner !== undefined) levels.push(enter(store, inner, `${item.path}/`))
      continue
    }
    const page = level.pages.pop()
    if (!page) {
      levels.pop()
      continue
    }
    level.rest = restOf(store, page, level.start, words)
    yield hits
    hits = []
  }
  yield hits
}

function enter(store: Searched, folder: number, start: string): Level {
  const pages = store.pages(folder).reverse()
  const inner = pages.some(page => page.folders > 0) ? store.children(folder) : []
  return { start, pages, folders: new Map(inner.map(child => [child.name, child.id])), rest: [] }
}

function restOf(store: Searched, page: KeptPage, start: string, words: readonly string[]): Level['rest'] {
  const matches = matchesIn(page, words)
  if (page.folders === 0) {
    return itemsOf(store, page, start, matches)
      .map(item => ({ item, isFound: true }))
      .reverse()
  }
  const found = new Set(matches)
  const all = fromPageText(page.text).keys()
  return itemsOf(store, page, start, [...all])
    .map((item, index) => ({ item, isFound: found.has(index) }))
    .reverse()
}

/** Some entries of a page, by index. */
function itemsOf(store: Searched, page: KeptPage, start: string, indexes: readonly number[]): Hit[] {
  if (indexes.length === 0) return []
  const { facts, disks } = store.known(page)
  const own = fromPageText(page.text)
  return indexes.map(index => ({
    path: `${start}${own[index] ?? ''}`,
    fact: facts[index] ?? 0,
    disk: disks[index] ?? 0,
  }))
}

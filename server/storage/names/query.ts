import { type Hit, inOrder, orderOf } from './hit.ts'
import { FACTS, foldText, fromPageText, GRAM, isEscaped } from './name-pages.ts'
import { type KeptPage, type NamesStore, TOP } from './store.ts'

/** An index that can be walked, and queried for pages by trigrams. */
export interface SearchableIndex extends Pick<NamesStore, 'pages' | 'children' | 'known' | 'place' | 'sums'> {
  countPages(): number
  /** All folders that could not be read. */
  unread(): number[]
  /** Pages that match an FTS5 expression. */
  pagesWith(expression: string, most: number): KeptPage[]
  /** Existing grams with a prefix. */
  gramsFrom(start: string, most: number): string[]
}

/** Maximum number of candidate pages; beyond that walking in order is no slower. */
export const MOST_PAGES = 1024
/** Pages that are walked before the trigram index is queried: frequent words are found sooner by walking. */
export const FIRST_LOOK = 64
/** Words, or grams that short words begin, that are queried together. */
const MOST_PHRASES = 128
/** Words shorter than a gram that are queried together: each takes milliseconds. */
const MOST_SHORT = 4
/** Characters that no name contains. */
const IN_NO_NAME = /[/\0]/

/** See `NamesStore.seek`. */
export function* seek(names: SearchableIndex, folder: number, words: readonly string[]): Generator<Hit | undefined> {
  yield* seekNames(names, folder, words)
  if (names.sums(folder).all.unread > 0) yield* unreadBelow(names, folder)
}

function unreadBelow(names: SearchableIndex, folder: number): Hit[] {
  const places = new Map<number, string | undefined>([[folder, '']])
  const starts = names.unread().map(id => below(names, id, places))
  const paths = starts.filter(start => start !== undefined).map(start => start.slice(0, -1))
  return inOrder(paths.map(path => ({ path, fact: FACTS.unread, disk: 0 })))
}

/** Walks, until a count of the matches shows that the trigrams find the rest sooner. */
function* seekNames(names: SearchableIndex, folder: number, words: readonly string[]): Generator<Hit | undefined> {
  const parts = partsOf(words)
  if (parts.length === 0 && words.length > 0) return
  let [walked, withHits, hasHit, nextLook] = [0, 0, false, parts.length > 0 ? FIRST_LOOK : Number.POSITIVE_INFINITY]
  let last: Hit | undefined
  for (const found of walkNames(names, folder, parts)) {
    yield found
    if (found) {
      hasHit = true
      last = found
      continue
    }
    walked += 1
    withHits += Number(hasHit)
    hasHit = false
    if (walked < nextLook) continue
    nextLook *= 2
    if ((likely(withHits) / walked) * names.countPages() > MOST_PAGES) continue
    const pages = pagesWith(names, parts)
    if (pages) return yield* fewHits(names, folder, parts, pages, last)
    nextLook = Number.POSITIVE_INFINITY
  }
}

/** Search words in their folded form; without those that no name can contain. */
export const partsOf = (words: readonly string[]): string[] =>
  words.map(foldText).filter(word => !IN_NO_NAME.test(word))

/** Upper estimate of a count from a sample (two standard deviations more, and two). */
export const likely = (met: number) => met + 2 * Math.sqrt(met) + 2

/** Pages that may contain one of the words; `undefined` if there are too many, or they cannot be queried. */
function pagesWith(names: SearchableIndex, words: readonly string[]): KeptPage[] | undefined {
  const expression = expressionOf(names, words)
  if (expression === undefined) return undefined
  const pages = expression === '' ? [] : names.pagesWith(expression, MOST_PAGES + 1)
  return pages.length <= MOST_PAGES ? pages : undefined
}

const isShort = (word: string) => Array.from(word).length < GRAM

/** The FTS5 expression; `''` if nothing can match, `undefined` if it cannot be expressed. */
function expressionOf(names: SearchableIndex, words: readonly string[]): string | undefined {
  if (words.length === 0 || words.filter(isShort).length > MOST_SHORT) return undefined
  const alternatives: string[] = []
  for (const word of words) {
    // Bytes that are not UTF-8 are not in the trigram index.
    if (!word.isWellFormed()) return undefined
    const phrases = isShort(word) ? names.gramsFrom(word, MOST_PHRASES + 1) : [word]
    alternatives.push(...phrases.map(phrase => `"${phrase.replaceAll('"', '""')}"`))
    if (alternatives.length > MOST_PHRASES) return undefined
  }
  return alternatives.join(' OR ')
}

/** Indexes of the names in a page that contain one of the words. */
export function matchesIn({ text }: Pick<KeptPage, 'text'>, words: readonly string[]): number[] {
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

/** The matches in some pages, sorted; only those after the last one that was met. */
function fewHits(
  names: SearchableIndex,
  folder: number,
  words: readonly string[],
  pages: readonly KeptPage[],
  last: Hit | undefined,
): Hit[] {
  const places = new Map<number, string | undefined>([[folder, '']])
  const hits: Hit[] = []
  for (const page of pages) {
    const start = below(names, page.folder, places)
    if (start === undefined) continue
    hits.push(...itemsOf(names, page, start, matchesIn(page, words)))
  }
  const from = last && orderOf(last.path)
  return inOrder(from === undefined ? hits : hits.filter(hit => orderOf(hit.path) > from))
}

/** Path prefixes of folders, with a cache; `undefined` for a folder outside the queried one. */
export function below(
  names: Pick<NamesStore, 'place'>,
  id: number,
  places: Map<number, string | undefined>,
): string | undefined {
  const trail: { id: number; name: string }[] = []
  let at = id
  while (!places.has(at)) {
    const place = at === TOP ? undefined : names.place(at)
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

/** Yields `undefined` before each page. */
function* walkNames(names: SearchableIndex, folder: number, words: readonly string[]): Generator<Hit | undefined> {
  const levels = [enter(names, folder, '')]
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const next = level.rest.pop()
    if (next) {
      const { item, isFound } = next
      if (isFound) yield item
      const inner = item.fact === FACTS.folder ? level.folders.get(item.path.slice(level.start.length)) : undefined
      if (inner !== undefined) levels.push(enter(names, inner, `${item.path}/`))
      continue
    }
    const page = level.pages.pop()
    if (!page) {
      levels.pop()
      continue
    }
    level.rest = restOf(names, page, level.start, words)
    yield undefined
  }
}

function enter(names: SearchableIndex, folder: number, start: string): Level {
  const pages = names.pages(folder).reverse()
  const inner = pages.some(page => page.folders > 0) ? names.children(folder) : []
  return { start, pages, folders: new Map(inner.map(child => [child.name, child.id])), rest: [] }
}

function restOf(names: SearchableIndex, page: KeptPage, start: string, words: readonly string[]): Level['rest'] {
  const matches = matchesIn(page, words)
  if (page.folders === 0) {
    return itemsOf(names, page, start, matches)
      .map(item => ({ item, isFound: true }))
      .reverse()
  }
  const found = new Set(matches)
  const all = fromPageText(page.text).keys()
  return itemsOf(names, page, start, [...all])
    .map((item, index) => ({ item, isFound: found.has(index) }))
    .reverse()
}

/** Some entries of a page, by index. */
function itemsOf(names: SearchableIndex, page: KeptPage, start: string, indexes: readonly number[]): Hit[] {
  if (indexes.length === 0) return []
  const { facts, disks } = names.known(page)
  const own = fromPageText(page.text)
  return indexes.map(index => ({
    path: `${start}${own[index] ?? ''}`,
    fact: facts[index] ?? 0,
    disk: disks[index] ?? 0,
  }))
}

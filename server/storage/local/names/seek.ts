import { type KeptPage, type NamesFile, TOP } from './file.ts'
import { FACTS, foldText, fromPageText, GRAM, gramsOf, isEscaped } from './pages.ts'

/** Something found: its path relative to the folder that was asked for, without a leading slash. */
export interface Found {
  path: string
  fact: number
}

/** Pages that are looked through at most because of the parts in them; for more, walking in order is no slower. */
const MOST_PAGES = 1024
/** Grams that a short word may begin. */
const MOST_GRAMS = 64

/**
 * Everything below a folder whose name holds one of the words, or everything without words, in the order of a walk.
 * `undefined` is yielded where there is nothing yet, so that others get their turn.
 * @param words of any case
 */
export function* seek(names: NamesFile, folder: number, words: readonly string[]): Generator<Found | undefined> {
  // No name holds a slash.
  const parts = words.map(foldText).filter(word => !word.includes('/'))
  if (parts.length === 0 && words.length > 0) return
  const expression = expressionOf(names, parts)
  if (expression === '') return
  const pages = expression === undefined ? undefined : names.pagesWith(expression, MOST_PAGES + 1)
  if (pages && pages.length <= MOST_PAGES) yield* fewHits(names, folder, parts, pages)
  else yield* walkNames(names, folder, parts)
}

/** What FTS5 is asked for; `''` if nothing can be found, `undefined` if too much can. */
function expressionOf(names: NamesFile, words: readonly string[]): string | undefined {
  if (words.length === 0) return undefined
  const alternatives: string[] = []
  for (const word of words) {
    const grams = Array.from(word).length < GRAM ? gramsAround(names, word) : gramsOf(word)
    // A word of bytes that are not UTF-8 has no grams.
    if (!grams || (grams.length === 0 && !word.isWellFormed())) return undefined
    const quoted = grams.map(gram => `"${gram.replaceAll('"', '""')}"`)
    if (quoted.length > 0) alternatives.push(`(${quoted.join(Array.from(word).length < GRAM ? ' OR ' : ' AND ')})`)
  }
  return alternatives.join(' OR ')
}

/** Grams that begin with a short word; `undefined` for too many. */
function gramsAround(names: NamesFile, word: string): string[] | undefined {
  if (!word.isWellFormed()) return undefined
  const grams = names.gramsFrom(word, MOST_GRAMS + 1)
  return grams.length > MOST_GRAMS ? undefined : grams
}

const holdsOne = (text: string, words: readonly string[]) =>
  words.length === 0 || words.some(word => text.includes(word))

/** An escaped text tells too little. */
const mayHoldOne = ({ text }: KeptPage, words: readonly string[]) => isEscaped(text) || holdsOne(foldText(text), words)

/** The names in some pages, laid in order. */
function fewHits(names: NamesFile, folder: number, words: readonly string[], pages: readonly number[]): Found[] {
  const places = new Map<number, string | undefined>([[folder, '']])
  const hits: Found[] = []
  for (const id of pages) {
    const page = names.page(id)
    const start = page && mayHoldOne(page, words) ? below(names, page.folder, places) : undefined
    if (!page || start === undefined) continue
    hits.push(...itemsOf(names, page, start).filter(({ path }) => holdsOne(foldText(path.slice(start.length)), words)))
  }
  return sorted(hits)
}

/** In the order of a walk a folder comes before all that is in it, and names are compared one by one. */
function sorted(hits: Found[]): Found[] {
  const keyed = hits.map(hit => ({ hit, key: hit.path.replaceAll('/', '\0') }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ hit }) => hit)
}

/** How paths in a folder begin; nothing if it does not lie below the one that was asked for. */
function below(names: NamesFile, id: number, places: Map<number, string | undefined>): string | undefined {
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

/** A folder on the way: where its paths begin, and the rest of its pages, the last one first. */
interface Level {
  start: string
  pages: KeptPage[]
  folders: ReadonlyMap<string, number>
  /** Of the page under way, the last one first. */
  rest: Found[]
}

function* walkNames(names: NamesFile, folder: number, words: readonly string[]): Generator<Found | undefined> {
  const levels = [enter(names, folder, '')]
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const item = level.rest.pop()
    if (item) {
      const name = item.path.slice(level.start.length)
      if (holdsOne(foldText(name), words)) yield item
      const inner = item.fact === FACTS.folder ? level.folders.get(name) : undefined
      if (inner !== undefined) levels.push(enter(names, inner, `${item.path}/`))
      continue
    }
    const page = level.pages.pop()
    if (!page) {
      levels.pop()
      yield undefined
    } else {
      const isSkipped = page.folders === 0 && !mayHoldOne(page, words)
      if (isSkipped) yield undefined
      else level.rest = itemsOf(names, page, level.start).reverse()
    }
  }
}

function enter(names: NamesFile, folder: number, start: string): Level {
  const folders = new Map(names.children(folder).map(child => [child.name, child.id]))
  return { start, pages: names.pages(folder).reverse(), folders, rest: [] }
}

function itemsOf(names: NamesFile, page: KeptPage, start: string): Found[] {
  const facts = names.facts(page.id)
  return fromPageText(page.text).map((name, index) => ({ path: start + name, fact: facts[index] ?? 0 }))
}

import { type Found, inOrder, orderOf } from '../hit.ts'
import { fromPageText } from '../name-pages.ts'
import { FIRST_LOOK, likely, MOST_PAGES, matchesIn, partsOf } from '../query.ts'
import type { SharedLooks } from './page-queries.ts'
import type { SharedPage } from './page-rows.ts'
import { pathAt } from './places.ts'

/** Pages that are walked at once at most. */
const MOST_WALKED = 1024

/**
 * See `NamesStore.seek`: walks, a part of the order at a time, until what was met shows that the rest is found sooner by the
 * trigrams. Each part is told as it is when it is looked at, however much was changed before it meanwhile.
 * @param path of the folder, without a leading slash; `''` for the top
 */
export function* seekShared(looks: SharedLooks, path: string, words: readonly string[]): Generator<Found | undefined> {
  const parts = partsOf(words)
  if (parts.length === 0 && words.length > 0) return
  const hitsIn = (pages: readonly SharedPage[]) => pages.flatMap(page => itemsOf(page, path, matchesIn(page, parts)))
  let mayAsk = parts.length > 0 && parts.every(part => part.isWellFormed())
  let [walked, withHits] = [0, 0]
  let [after, all]: [string | undefined, number | undefined] = [undefined, undefined]
  for (let size = FIRST_LOOK; ; size = Math.min(MOST_WALKED, 2 * size)) {
    const { pages, count, last } = looks.walk(path, after, parts, size)
    const to = last === undefined || count < size ? undefined : pathAt(last)
    yield* inOrder(between(hitsIn(pages), path, after, to))
    if (to === undefined) return
    yield undefined
    walked += count
    withHits += pages.length
    after = to
    if (!mayAsk) continue
    all ??= looks.countPages()
    if ((likely(withHits) / walked) * all > MOST_PAGES) continue
    const found = looks.withParts(path, after, parts, MOST_PAGES + 1)
    if (found.length <= MOST_PAGES) return yield* inOrder(between(hitsIn(found), path, after, undefined))
    mayAsk = false
  }
}

/** Things that come after one and not after another; all after it, or up to it, where one is not given. */
function between(hits: Found[], path: string, after: string | undefined, to: string | undefined): Found[] {
  const below = path === '' ? 0 : path.length + 1
  const [from, end] = [after, to].map(one => (one === undefined ? undefined : orderOf(one.slice(below))))
  return hits.filter(hit => {
    const order = orderOf(hit.path)
    return (from === undefined || order > from) && (end === undefined || order <= end)
  })
}

/** Some things of a page, by their index in it. */
function itemsOf(page: SharedPage, path: string, indexes: readonly number[]): Found[] {
  if (indexes.length === 0) return []
  const names = fromPageText(page.text)
  // A page's place is that of its first name.
  const first = pathAt(page.place)
  const start = first.slice(path === '' ? 0 : path.length + 1, first.length - (names[0] ?? '').length)
  return indexes.map(index => ({
    path: `${start}${names[index] ?? ''}`,
    fact: page.facts[index] ?? 0,
    disk: page.disks[index] ?? 0,
  }))
}

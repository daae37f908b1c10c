import { type Hit, partsOf } from '../../storage/found-names.ts'
import { FIRST_LOOK, fromPageText, inOrder, likely, MOST_PAGES, matchesIn, orderOf } from '../name-pages.ts'
import type { PageQueries } from './page-queries.ts'
import type { SharedPage } from './page-rows.ts'
import { pathAt } from './places.ts'

/** Maximum number of pages per walk: their hits are sorted on the main thread at once. */
const MOST_WALKED = 256

/**
 * See `IndexStore.seek`: walks the order part by part, until a count of the matches shows that the trigrams find the
 * rest sooner. Each part is read in its current state, whatever changed before it.
 * @param path of the folder, without a leading slash; `''` for the top
 */
export async function* seekShared(queries: PageQueries, path: string, words: readonly string[]): AsyncGenerator<Hit[]> {
  const parts = partsOf(words)
  if (parts.length === 0 && words.length > 0) return
  const hitsIn = (pages: readonly SharedPage[]) => pages.flatMap(page => itemsOf(page, path, matchesIn(page, parts)))
  let mayAsk = parts.length > 0 && parts.every(part => part.isWellFormed())
  let [walked, withHits] = [0, 0]
  let [after, all]: [string | undefined, number | undefined] = [undefined, undefined]
  for (let size = FIRST_LOOK; ; size = Math.min(MOST_WALKED, 2 * size)) {
    const { pages, count, last } = await queries.walk(path, after, parts, size)
    const to = last === undefined || count < size ? undefined : pathAt(last)
    yield inOrder(between(hitsIn(pages), path, after, to))
    if (to === undefined) return
    walked += count
    withHits += pages.length
    after = to
    if (!mayAsk) continue
    all ??= await queries.countPages()
    if ((likely(withHits) / walked) * all > MOST_PAGES) continue
    const found = await queries.withParts(path, after, parts, MOST_PAGES + 1)
    if (found.length <= MOST_PAGES) return yield inOrder(between(hitsIn(found), path, after, undefined))
    mayAsk = false
  }
}

/** Hits in a range, exclusive of its start and inclusive of its end; open where one is not given. */
function between(hits: Hit[], path: string, after: string | undefined, to: string | undefined): Hit[] {
  const below = path === '' ? 0 : path.length + 1
  const [from, end] = [after, to].map(one => (one === undefined ? undefined : orderOf(one.slice(below))))
  return hits.filter(hit => {
    const order = orderOf(hit.path)
    return (from === undefined || order > from) && (end === undefined || order <= end)
  })
}

/** Some entries of a page, by index. */
function itemsOf(page: SharedPage, path: string, indexes: readonly number[]): Hit[] {
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

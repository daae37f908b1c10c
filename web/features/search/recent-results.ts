import type { FilePath } from '../../../shared/path.ts'

/** Searches whose results are kept for a return to them. */
const KEPT = 4

interface Search {
  query: string
  folder: FilePath
}

/** The results of searches that ended lately, for a return to their pages. */
export function recentResults<T extends Search>(): { of: (search: Search) => T | undefined; keep: (found: T) => void } {
  let kept: readonly T[] = []
  const isSame = (a: Search) => (b: Search) => a.query === b.query && a.folder === b.folder
  return {
    of: search => kept.find(isSame(search)),
    keep: found => {
      const others = kept.filter(each => !isSame(found)(each))
      kept = [found, ...others].slice(0, KEPT)
    },
  }
}

/** A text in three parts, of which the middle one differs from another text. */
export type Parts = readonly [before: string, changed: string, after: string]

/** What differs between two names: all but their common beginning and end. Whole characters. */
export function differenceOf(from: string, to: string): { from: Parts; to: Parts } {
  const [a, b] = [[...from], [...to]]
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let end = 0
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const parts = (all: readonly string[]): Parts => [
    all.slice(0, start).join(''),
    all.slice(start, all.length - end).join(''),
    all.slice(all.length - end).join(''),
  ]
  return { from: parts(a), to: parts(b) }
}

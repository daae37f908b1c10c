/** Removes accents and invisible characters: soft hyphens and directional marks. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()

const AT_START = 8
const AT_WORD = 5
const IN_A_ROW = 4

/**
 * Score of a fuzzy match: all letters must match in order; they score higher at the beginning, at word starts and in a
 * row. `undefined` without a match, 0 for an empty query.
 */
export function fuzzyScore(typed: string, text: string): number | undefined {
  const wanted = [...fold(typed).replace(/\s+/g, '')]
  const letters = [...fold(text)]
  const scores = [walk(wanted, letters, nextPlain), walk(wanted, letters, nextStart)]
  const known = scores.filter(score => score !== undefined)
  return known.length > 0 ? Math.max(...known) : undefined
}

/** Where to search a letter: from `at` on, with the previous one found at `at - 1`. */
type Next = (letters: readonly string[], letter: string, at: number) => number

const nextPlain: Next = (letters, letter, at) => letters.indexOf(letter, at)

/** The adjacent letter, else one at a word start, else any. */
const nextStart: Next = (letters, letter, at) => {
  if (letters[at] === letter) return at
  const start = letters.findIndex((other, index) => index >= at && other === letter && isStart(letters, index))
  return start < 0 ? letters.indexOf(letter, at) : start
}

function walk(wanted: readonly string[], letters: readonly string[], next: Next): number | undefined {
  let score = 0
  let at = 0
  for (const letter of wanted) {
    const place = next(letters, letter, at)
    if (place < 0) return undefined
    if (place === 0) score += AT_START
    else if (isStart(letters, place)) score += AT_WORD
    else score += place === at ? IN_A_ROW : 1
    at = place + 1
  }
  return score
}

function isStart(letters: readonly string[], index: number): boolean {
  return index === 0 || /[^\p{L}\p{N}]/u.test(letters[index - 1] ?? '')
}

/** What has a label that matches, the best first. */
export function bestMatches<T extends { label: string }>(all: readonly T[], typed: string): T[] {
  return all
    .map(one => ({ one, score: fuzzyScore(typed, one.label) }))
    .filter(({ score }) => score !== undefined)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map(({ one }) => one)
}

/** Without accents, and without signs that nobody sees: places where a word may be parted, marks of direction. */
const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()

const AT_START = 8
const AT_WORD = 5
const IN_A_ROW = 4

/**
 * How well a text fits what was typed: all letters must come in this order; they count more at the beginning, at the
 * start of a word and in a row. `undefined` when it does not fit, 0 for nothing typed.
 */
export function fuzzyScore(typed: string, text: string): number | undefined {
  const wanted = [...fold(typed).replace(/\s+/g, '')]
  const letters = [...fold(text)]
  const scores = [walk(wanted, letters, nextPlain), walk(wanted, letters, nextStart)]
  const known = scores.filter(score => score !== undefined)
  return known.length > 0 ? Math.max(...known) : undefined
}

/** Where to look for a letter: from `at` on, having found the one before at `at - 1`. */
type Next = (letters: readonly string[], letter: string, at: number) => number

const nextPlain: Next = (letters, letter, at) => letters.indexOf(letter, at)

/** The letter that follows directly, else one that begins a word, else any. */
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

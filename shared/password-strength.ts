import { isCommonPassword } from './common-passwords.ts'

/** How hard a password is to guess. `easy` is what the server refuses. */
export type Strength = 'easy' | 'weak' | 'good' | 'strong'

/** Bits from which a password is good, and strong. */
const [GOOD, STRONG] = [40, 60]

/** Bits of a character that could be any of its kind. */
const KINDS: readonly (readonly [RegExp, number])[] = [
  [/\d/, 10],
  [/\p{Ll}/u, 26],
  [/\p{Lu}/u, 26],
  [/[\p{P}\p{S}\p{Z}]/u, 20],
]
/** Characters of other scripts: the everyday ones of a script. */
const OTHERS = 100
/** Letters at the start of a word that say little about each other, and bits of each letter after them. */
const [WORD_START, LETTER_BITS] = [3, 1.5]
/** Bits of a character that repeats or continues the one before, as in `aaa`, `123` and `cba`. */
const STEP_BITS = 0.5

/**
 * Estimates how hard a password is to guess, for the user who is typing it. The measure is cautious with words: a few
 * letters of one are guessed, the rest follows.
 */
export function strengthOf(password: string): Strength {
  if (isCommonPassword(password)) return 'easy'
  const bits = bitsOf([...password])
  if (bits < GOOD) return 'weak'
  return bits < STRONG ? 'good' : 'strong'
}

function bitsOf(characters: readonly string[]): number {
  const each = Math.log2(choices(characters.join('')))
  let [bits, letters] = [0, 0]
  for (const [index, character] of characters.entries()) {
    letters = /\p{L}/u.test(character) ? letters + 1 : 0
    if (isStep(characters[index - 1], character)) bits += STEP_BITS
    else bits += letters > WORD_START ? Math.min(each, LETTER_BITS) : each
  }
  return bits
}

/** Of how many characters each one seems to be chosen. */
function choices(password: string): number {
  let [count, known] = [0, 0]
  for (const [kind, size] of KINDS) {
    const found = password.match(new RegExp(kind, `g${kind.flags}`))?.length ?? 0
    known += found
    if (found > 0) count += size
  }
  return known < [...password].length ? count + OTHERS : Math.max(count, 1)
}

function isStep(before: string | undefined, character: string): boolean {
  if (before === undefined) return false
  const step = (character.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0)
  return Math.abs(step) <= 1
}

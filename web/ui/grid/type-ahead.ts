/** Milliseconds within which letters form one word. */
export const TYPE_AHEAD_WINDOW = 500

/** The text typed so far, and when the last letter was typed (milliseconds). */
export interface TypeAhead {
  text: string
  at: number
}

export const NOTHING_TYPED: TypeAhead = Object.freeze({ text: '', at: Number.NEGATIVE_INFINITY })

const fold = (text: string) => text.normalize('NFC').toLowerCase()

/** Whether a key types a character, in whatever script. */
export function isCharacter(key: string): boolean {
  return [...key].length === 1
}

/** Adds a typed character; `undefined` when it starts no word: a space starts none, and no name contains a slash. */
export function typeCharacter(typed: TypeAhead, key: string, now: number): TypeAhead | undefined {
  const going = now - typed.at <= TYPE_AHEAD_WINDOW ? typed.text : ''
  if (key === '/' || (going === '' && (key === ' ' || key === '?'))) return undefined
  return { text: going + fold(key), at: now }
}

/**
 * The row whose name starts with the text, searched downwards from the focus, wrapping around. Repeating a letter moves
 * to the next match.
 */
export function findTyped(
  text: string,
  focus: number,
  count: number,
  nameAt: (index: number) => string,
): number | undefined {
  const letters = [...text]
  const repeated = letters.length > 1 && letters.every(letter => letter === letters[0])
  const wanted = repeated ? (letters[0] ?? '') : text
  const first = letters.length === 1 || repeated ? focus + 1 : focus
  for (let step = 0; step < count; step += 1) {
    const index = (first + step) % count
    if (fold(nameAt(index)).startsWith(wanted)) return index
  }
  return undefined
}

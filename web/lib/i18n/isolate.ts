/** First strong isolate and pop directional isolate (UAX #9, section 2.4). */
const ISOLATE = '\u2068'
const POP = '\u2069'
const CONTROLS = /[\u2066-\u2069]/
/** Right-to-left letters, the right-to-left mark, and isolates; the surrogate pairs begin U+108xx and U+1E8xx. */
const RTL_CHARACTERS = /[\u0590-\u08ff\u200f\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\ud802\ud803\ud83a\ud83b]/

/**
 * Isolates a name within a sentence: it keeps its own direction and does not affect its surroundings, whatever
 * directional characters it contains. The isolates are invisible; where everything runs left to right, none are added.
 * @param dir the direction of the sentence
 */
export function isolated(name: string, dir: 'ltr' | 'rtl'): string {
  if (dir === 'ltr' && !RTL_CHARACTERS.test(name)) return name
  return CONTROLS.test(name) ? isolatedControls(name) : ISOLATE + name + POP
}

/** What a name opens is closed at its end; what it closes without having opened is removed. */
function isolatedControls(name: string): string {
  let open = 0
  let kept = ''
  for (const sign of name) {
    if (sign === POP && open === 0) continue
    if (CONTROLS.test(sign)) open += sign === POP ? -1 : 1
    kept += sign
  }
  return ISOLATE + kept + POP.repeat(open + 1)
}

/** First strong isolate and pop directional isolate (UAX #9, section 2.4). */
const ISOLATE = '\u2068'
const POP = '\u2069'
const CONTROLS = /[\u2066-\u2069]/
/** Letters that run from right to left, the mark that stands for one, and isolates; the pairs begin U+108xx and U+1E8xx. */
const TURNING = /[\u0590-\u08ff\u200f\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\ud802\ud803\ud83a\ud83b]/

/**
 * A name as one piece of a sentence: it runs in its own direction and turns nothing around it, whatever it opens or
 * closes itself. Nobody sees the signs that do that. Where everything runs from left to right there are none.
 * @param dir the direction of the sentence
 */
export function isolated(name: string, dir: 'ltr' | 'rtl'): string {
  if (dir === 'ltr' && !TURNING.test(name)) return name
  return CONTROLS.test(name) ? isolatedControls(name) : ISOLATE + name + POP
}

/** What a name opens ends with it, and what it closes without having opened it is left out. */
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

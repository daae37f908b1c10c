/** Maximum number of letters outside ASCII that are tried. */
const TRIED = 4

/** Names that open the same file on a case-insensitive file system. */
export function otherSpellings(name: string): string[] {
  const inAscii = name.replace(/[a-z]/gi, turned)
  const letters = inAscii === name ? Array.from(name).filter(hasPartner).slice(0, TRIED) : []
  const others = [
    inAscii,
    ...letters.map(letter => name.replace(letter, turned)),
    name.normalize('NFC'),
    name.normalize('NFD'),
  ]
  return [...new Set(others)].filter(other => other !== name)
}

const turned = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())

/** Whether a letter has two cases; `ß` and the Kelvin sign do not count. */
const hasPartner = (letter: string) => turned(letter) !== letter && turned(turned(letter)) === letter

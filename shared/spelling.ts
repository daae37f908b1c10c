/** Letters outside of ASCII that are tried at most. */
const TRIED = 4

/** Names that open the same thing wherever letters are folded at all. */
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

/** Whether a letter is one of two; `ß` and the Kelvin sign are not. */
const hasPartner = (letter: string) => turned(letter) !== letter && turned(turned(letter)) === letter

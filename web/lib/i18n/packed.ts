import type { CompiledMessage } from 'icu-minify/format'

/** A catalogue as the build makes it of `web/locales/<code>.json`: each text at its key's place. */
export type Catalogue = readonly CompiledMessage[]

/**
 * A catalogue on its way: a line for each text, as it is or, after a tab, as JSON. Letters outside of ASCII take two bytes
 * or more, and compress worse for that; where it pays, each of `letters` trades places with the one of `ascii` at its
 * place, so that there and back are the same.
 */
export interface PackedCatalogue {
  lines: string
  letters: string
  ascii: string
}

export function unpack({ lines, letters, ascii }: PackedCatalogue): Catalogue {
  const texts = tradeLetters(lines, letters, ascii).split('\n')
  return texts.map(line => (line.startsWith('\t') ? (JSON.parse(line) as CompiledMessage) : line))
}

/** Lets each of `letters` trade places with the one of `ascii` at the same place. */
export function tradeLetters(text: string, letters: string, ascii: string): string {
  const trades = new Map<string, string>()
  for (let at = 0; at < letters.length; at += 1) {
    const [own = '', other = ''] = [letters[at], ascii[at]]
    trades.set(own, other).set(other, own)
  }
  return text.replaceAll(/[^\0- ]/g, letter => trades.get(letter) ?? letter)
}

import type { CompiledMessage } from 'icu-minify/format'

/** A catalogue as built from `web/locales/<code>.json`: each text at its key's index. */
export type Catalogue = readonly CompiledMessage[]

/**
 * A catalogue as transferred: a line for each text, raw or, after a tab, as JSON. Letters outside of ASCII take two
 * bytes or more and compress worse; where it pays, each of `letters` is swapped with the character of `ascii` at the
 * same index. The swap is its own inverse.
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

/** Swaps each of `letters` with the character of `ascii` at the same index. */
export function tradeLetters(text: string, letters: string, ascii: string): string {
  const trades = new Map<string, string>()
  for (let at = 0; at < letters.length; at += 1) {
    const [own = '', other = ''] = [letters[at], ascii[at]]
    trades.set(own, other).set(other, own)
  }
  return text.replaceAll(/[^\0- ]/g, letter => trades.get(letter) ?? letter)
}

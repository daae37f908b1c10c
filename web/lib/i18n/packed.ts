import type { CompiledMessage } from 'icu-minify/format'

/** A catalogue as the build makes it of `web/locales/<code>.json`: each text at its key's place. */
export type Catalogue = readonly CompiledMessage[]

/**
 * A catalogue on its way. Letters outside of ASCII take two bytes or more, and compress worse for that; where it pays,
 * each trades places with a letter of ASCII in the JSON text, so that both ways are the same.
 */
export type PackedCatalogue = Catalogue | { json: string; letters: string; ascii: string }

export function unpack(packed: PackedCatalogue): Catalogue {
  if (!('json' in packed)) return packed
  return JSON.parse(tradeLetters(packed.json, packed.letters, packed.ascii)) as Catalogue
}

/** Lets each of `letters` trade places with the one of `ascii` at the same place. */
export function tradeLetters(text: string, letters: string, ascii: string): string {
  const trades = new Map<string, string>()
  for (let at = 0; at < letters.length; at += 1) {
    const [own = '', other = ''] = [letters[at], ascii[at]]
    trades.set(own, other).set(other, own)
  }
  return text.replaceAll(/./gs, letter => trades.get(letter) ?? letter)
}

import { type PackedCatalogue, tradeLetters } from '../lib/i18n/packed.ts'
import type { Compiled } from './catalogue.ts'

/** Characters to swap with: no digit and no punctuation, since JSON consists of those. */
const ASCII = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Minimum ratio between the frequencies of a letter and of the ASCII character it is swapped with. */
const WORTH_IT = 2

/** Packs a catalogue into as few bytes after compression as possible. */
export function packCatalogue(texts: readonly Compiled[]): PackedCatalogue {
  const plain = texts.map(lineOf).join('\n')
  const { letters, ascii } = tradesFor(plain)
  return { lines: tradeLetters(plain, letters, ascii), letters, ascii }
}

/**
 * @throws Error for a text with a line break
 */
function lineOf(message: Compiled): string {
  const line = typeof message === 'string' ? message : `\t${JSON.stringify(message.map(slim))}`
  if (line.includes('\n') || (line.startsWith('\t') && typeof message === 'string')) {
    throw new Error(`a text may neither hold a line end nor begin with a tab: ${line}`)
  }
  return line
}

/** The most frequent letters outside of ASCII, and for each the rarest character of ASCII, as long as that pays. */
function tradesFor(text: string): { letters: string; ascii: string } {
  const counts = new Map<string, number>()
  for (const [letter] of text.matchAll(/[^\ud800-\udfff]/g)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const count = (letter: string) => counts.get(letter) ?? 0
  const foreign = [...counts.keys()].filter(letter => letter > '\x7f').toSorted((a, b) => count(b) - count(a))
  const rare = [...ASCII].toSorted((a, b) => count(a) - count(b))
  const pairs = foreign
    .map((letter, at) => [letter, rare[at] ?? ''] as const)
    .filter(([letter, other]) => other !== '' && count(letter) > WORTH_IT * count(other))
  return { letters: pairs.map(([letter]) => letter).join(''), ascii: pairs.map(([, other]) => other).join('') }
}

/** A part of a message without the plural forms that equal `other`, which is the fallback of missing ones. */
function slim(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(slim)
  if (typeof part !== 'object' || part === null) return part
  const branches = Object.entries(part).map(([name, branch]) => [name, slim(branch)] as const)
  const other = JSON.stringify(branches.find(([name]) => name === 'other')?.[1])
  return Object.fromEntries(
    branches.filter(([name, branch]) => name === 'other' || name.startsWith('=') || JSON.stringify(branch) !== other),
  )
}

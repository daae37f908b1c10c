import { gzipSync } from 'node:zlib'
import { type PackedCatalogue, tradeLetters } from '../lib/i18n/packed.ts'
import type { Compiled } from './catalogue.ts'

/** What takes the place of other scripts' letters: no digit and no sign, since JSON is made of those. */
const ASCII = 'etaoinsrhldcumfpgwybvkxjqzETAOINSRHLDCUMFPGWYBVKXJQZ'

/** The smaller of the two ways to send a catalogue. */
export function packCatalogue(texts: readonly Compiled[]): PackedCatalogue {
  const plain = texts.map(withoutRepeats)
  const json = JSON.stringify(plain)
  const letters = frequentLetters(json)
  const ascii = ASCII.slice(0, letters.length)
  const traded = { json: tradeLetters(json, letters, ascii), letters, ascii }
  return weight(traded) < weight(plain) ? traded : plain
}

function weight(value: unknown): number {
  return gzipSync(JSON.stringify(value)).length
}

/** As many letters outside of ASCII as there are to trade with, the most frequent first. */
function frequentLetters(json: string): string {
  const counts = new Map<string, number>()
  for (const [letter] of json.matchAll(/[^\0-\x7f\ud800-\udfff]/g)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1]).map(([letter]) => letter)
  return sorted.slice(0, ASCII.length).join('')
}

/** A message without plural forms that read like `other`, which stands in for those that are not there. */
function withoutRepeats(message: Compiled): Compiled {
  return typeof message === 'string' ? message : (message.map(slim) as Compiled)
}

function slim(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(slim)
  if (typeof part !== 'object' || part === null) return part
  const branches = Object.entries(part).map(([name, branch]) => [name, slim(branch)] as const)
  const other = JSON.stringify(branches.find(([name]) => name === 'other')?.[1])
  return Object.fromEntries(
    branches.filter(([name, branch]) => name === 'other' || name.startsWith('=') || JSON.stringify(branch) !== other),
  )
}

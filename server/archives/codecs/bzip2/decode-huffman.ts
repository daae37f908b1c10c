import { corrupt } from '../../source.ts'
import type { BitReader } from '../bit-reader.ts'

/** Symbols that share a table. */
const GROUP = 50
const MAX_LENGTH = 20
const MAX_CHOICES = 18_002

interface Table {
  /** Smallest code of a length, how many there are, and where their symbols begin, by length. */
  first: Int32Array
  count: Int32Array
  start: Int32Array
  symbols: Uint16Array
}

/** Reads the Huffman tables of a block. @returns a function that returns the next symbol @throws undecodable */
export function symbolReader(bits: BitReader, alphabet: number): () => number {
  const number = bits.bits(3)
  const length = bits.bits(15)
  if (number < 2 || number > 6 || length < 1) throw corrupt()
  const choices = readChoices(bits, number, length)
  const tables = Array.from({ length: number }, () => tableOf(readLengths(bits, alphabet)))
  let group = 0
  let left = 0
  let table: Table | undefined
  return () => {
    if (left === 0) {
      table = tables[choices[group++] ?? number]
      left = GROUP
    }
    left -= 1
    if (!table) throw corrupt()
    return symbolOf(bits, table)
  }
}

/** Move-to-front ranks in unary. Some programs write more than a block can need. */
function readChoices(bits: BitReader, tables: number, length: number): Uint8Array {
  const recent = Array.from({ length: tables }, (_, table) => table)
  const choices = new Uint8Array(Math.min(length, MAX_CHOICES))
  for (let at = 0; at < length; at++) {
    let rank = 0
    while (bits.bits(1) === 1) if (++rank >= tables) throw corrupt()
    const [choice = 0] = recent.splice(rank, 1)
    recent.unshift(choice)
    choices[at] = choice
  }
  return choices
}

/** Steps from one length to the next: `10` longer, `11` shorter, `0` end. */
function readLengths(bits: BitReader, alphabet: number): Uint8Array {
  const lengths = new Uint8Array(alphabet)
  let current = bits.bits(5)
  for (let symbol = 0; symbol < alphabet; symbol++) {
    while (bits.bits(1) === 1) current += bits.bits(1) === 0 ? 1 : -1
    if (current < 1 || current > MAX_LENGTH) throw corrupt()
    lengths[symbol] = current
  }
  return lengths
}

function tableOf(lengths: Uint8Array): Table {
  const [first, count, start] = [1, 2, 3].map(() => new Int32Array(MAX_LENGTH + 1)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ]
  const symbols = new Uint16Array(lengths.length)
  let code = 0
  let filled = 0
  for (let length = 1; length <= MAX_LENGTH; length++) {
    first[length] = code
    start[length] = filled
    for (const [symbol, own] of lengths.entries()) if (own === length) symbols[filled++] = symbol
    count[length] = filled - (start[length] ?? 0)
    code = (code + (count[length] ?? 0)) << 1
  }
  return { first, count, start, symbols }
}

function symbolOf(bits: BitReader, { first, count, start, symbols }: Table): number {
  let code = 0
  for (let length = 1; length <= MAX_LENGTH; length++) {
    code = (code << 1) | bits.bits(1)
    const rank = code - (first[length] ?? 0)
    if (rank < (count[length] ?? 0)) return symbols[(start[length] ?? 0) + rank] ?? 0
  }
  throw corrupt()
}

import type { BitSink } from '../bit-writer.ts'

/** Symbols that share a code table. */
const GROUP = 50
const MAX_LENGTH = 17
const ROUNDS = 4
/** Cost of a symbol outside a table's range in the initial assignment. */
const POOR = 15

/**
 * Writes symbols in groups of fifty, each with the best of a few Huffman tables: tables, choices, codes.
 * @param alphabet number of different symbols
 */
export function writeSymbols(out: BitSink, symbols: Uint16Array, alphabet: number): void {
  const { tables, choices } = fitTables(symbols, alphabet)
  out.put(tables.length, 3)
  out.put(choices.length, 15)
  writeChoices(out, choices, tables.length)
  for (const lengths of tables) writeLengths(out, lengths)
  const codes = tables.map(codesOf)
  for (const [group, choice] of choices.entries()) {
    const lengths = tables[choice] ?? new Uint8Array()
    const values = codes[choice] ?? new Uint32Array()
    for (const symbol of groupOf(symbols, group)) out.put(values[symbol] ?? 0, lengths[symbol] ?? 0)
  }
}

const groupOf = (symbols: Uint16Array, group: number) => symbols.subarray(group * GROUP, (group + 1) * GROUP)

/** Alternately assigns the groups to the tables they fit best and fits the tables to their groups. */
function fitTables(symbols: Uint16Array, alphabet: number): { tables: Uint8Array[]; choices: Uint8Array } {
  const choices = new Uint8Array(Math.ceil(symbols.length / GROUP))
  let tables = firstTables(symbols, alphabet)
  for (let round = 0; round < ROUNDS; round++) {
    const counts = tables.map(() => new Uint32Array(alphabet))
    for (const group of choices.keys()) {
      const choice = cheapest(tables, groupOf(symbols, group))
      choices[group] = choice
      const count = counts[choice] ?? new Uint32Array(alphabet)
      for (const symbol of groupOf(symbols, group)) count[symbol] = (count[symbol] ?? 0) + 1
    }
    tables = counts.map(codeLengths)
  }
  return { tables, choices }
}

/** Each initial table specializes in a range of symbols that makes up an equal share of the text. */
function firstTables(symbols: Uint16Array, alphabet: number): Uint8Array[] {
  const total = symbols.length
  const number = total < 200 ? 2 : total < 600 ? 3 : total < 1200 ? 4 : total < 2400 ? 5 : 6
  const counts = new Uint32Array(alphabet)
  for (const symbol of symbols) counts[symbol] = (counts[symbol] ?? 0) + 1
  let before = 0
  const owner = Array.from(counts, count => {
    const share = Math.min(number - 1, Math.floor((before * number) / total))
    before += count
    return share
  })
  return Array.from({ length: number }, (_, table) => Uint8Array.from(owner, own => (own === table ? 1 : POOR)))
}

function cheapest(tables: readonly Uint8Array[], group: Uint16Array): number {
  let best = 0
  let lowest = Number.POSITIVE_INFINITY
  for (const [table, lengths] of tables.entries()) {
    let cost = 0
    for (const symbol of group) cost += lengths[symbol] ?? 0
    if (cost < lowest) {
      lowest = cost
      best = table
    }
  }
  return best
}

/** Huffman code lengths, at most `MAX_LENGTH`: while a code is too long, frequencies are flattened. */
function codeLengths(counts: Uint32Array): Uint8Array {
  let weights = Float64Array.from(counts, count => Math.max(count, 1))
  for (;;) {
    const lengths = huffmanLengths(weights)
    if (lengths.every(length => length <= MAX_LENGTH)) return lengths
    weights = weights.map(weight => Math.floor(weight / 2) + 1)
  }
}

/** Two queues: the leaves by weight and the joined nodes, which are created in the order of their weights. */
function huffmanLengths(weights: Float64Array): Uint8Array {
  const leaves = Array.from(weights.keys()).sort((a, b) => (weights[a] ?? 0) - (weights[b] ?? 0))
  const size = weights.length
  const weight = new Float64Array(2 * size - 1)
  weight.set(weights)
  const parent = new Int32Array(2 * size - 1)
  let leaf = 0
  let joined = size
  let next = size
  const lightest = () => {
    const own = leaves[leaf]
    const useLeaf = own !== undefined && (joined >= next || (weight[own] ?? 0) <= (weight[joined] ?? 0))
    if (!useLeaf) return joined++
    leaf++
    return own
  }
  for (; next < 2 * size - 1; next++) {
    const one = lightest()
    const other = lightest()
    weight[next] = (weight[one] ?? 0) + (weight[other] ?? 0)
    parent[one] = next
    parent[other] = next
  }
  const depth = new Uint8Array(2 * size - 1)
  for (let node = 2 * size - 3; node >= 0; node--) depth[node] = (depth[parent[node] ?? 0] ?? 0) + 1
  return depth.subarray(0, size)
}

/** Canonical codes: shorter ones first, equal lengths in the order of the symbols. */
function codesOf(lengths: Uint8Array): Uint32Array {
  const codes = new Uint32Array(lengths.length)
  let code = 0
  for (let length = 1; length <= MAX_LENGTH; length++) {
    for (const [symbol, own] of lengths.entries()) if (own === length) codes[symbol] = code++
    code <<= 1
  }
  return codes
}

/** Choices as move-to-front ranks, in unary. */
function writeChoices(out: BitSink, choices: Uint8Array, tables: number): void {
  const recent = Array.from({ length: tables }, (_, table) => table)
  for (const choice of choices) {
    const rank = recent.indexOf(choice)
    recent.splice(rank, 1)
    recent.unshift(choice)
    for (let one = 0; one < rank; one++) out.put(1, 1)
    out.put(0, 1)
  }
}

/** Code lengths as steps from one to the next: `10` longer, `11` shorter, `0` end. */
function writeLengths(out: BitSink, lengths: Uint8Array): void {
  let current = lengths[0] ?? 1
  out.put(current, 5)
  for (const length of lengths) {
    for (; current < length; current++) out.put(0b10, 2)
    for (; current > length; current--) out.put(0b11, 2)
    out.put(0, 1)
  }
}

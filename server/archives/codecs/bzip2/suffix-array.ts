/**
 * The suffix array of a text by induced sorting (Nong, Zhang and Chan, 2009), in linear time: the start positions of
 * all suffixes in their order, where the end of the text comes before every character.
 * @param text characters from 0 to `alphabet - 1`
 */
export function suffixArray(text: Uint8Array | Int32Array, alphabet: number): Int32Array {
  const size = text.length
  const order = new Int32Array(size)
  if (size < 2) return order
  const isSmall = typesOf(text)
  const counts = countsOf(text, alphabet)
  const isLeftmost = (at: number) => at > 0 && isSmall[at] === 1 && isSmall[at - 1] === 0

  const leftmost = new Int32Array(size >> 1)
  let found = 0
  for (let at = 1; at < size; at++) if (isLeftmost(at)) leftmost[found++] = at
  induce(text, order, isSmall, counts, leftmost.subarray(0, found))
  if (found > 1) {
    const sorted = order.filter(isLeftmost)
    const { names, distinct } = nameSubstrings(text, sorted, isLeftmost)
    const reduced = leftmost.subarray(0, found).map(at => names[at] ?? 0)
    const ranks = distinct === found ? positionsOf(reduced) : suffixArray(reduced, distinct)
    induce(
      text,
      order,
      isSmall,
      counts,
      ranks.map(rank => leftmost[rank] ?? 0),
    )
  }
  return order
}

/** 1 for a suffix that is smaller than the next one, else 0. The last one is larger than the empty suffix after it. */
function typesOf(text: Uint8Array | Int32Array): Uint8Array {
  const isSmall = new Uint8Array(text.length)
  for (let at = text.length - 2; at >= 0; at--) {
    const here = text[at] ?? 0
    const next = text[at + 1] ?? 0
    isSmall[at] = here < next || (here === next && isSmall[at + 1] === 1) ? 1 : 0
  }
  return isSmall
}

function countsOf(text: Uint8Array | Int32Array, alphabet: number): Int32Array {
  const counts = new Int32Array(alphabet)
  for (const char of text) counts[char] = (counts[char] ?? 0) + 1
  return counts
}

/** Where each character's bucket starts (or ends) in the order. */
function buckets(counts: Int32Array, ends: boolean): Int32Array {
  let sum = 0
  return counts.map(count => {
    sum += count
    return ends ? sum : sum - count
  })
}

/** Sorts all suffixes, given the order of some. */
function induce(
  text: Uint8Array | Int32Array,
  order: Int32Array,
  isSmall: Uint8Array,
  counts: Int32Array,
  known: Int32Array,
): void {
  order.fill(-1)
  const ends = buckets(counts, true)
  for (let index = known.length - 1; index >= 0; index--) {
    const at = known[index] ?? 0
    const char = text[at] ?? 0
    const slot = (ends[char] ?? 0) - 1
    ends[char] = slot
    order[slot] = at
  }
  induceLarge(text, order, isSmall, counts)
  induceSmall(text, order, isSmall, counts)
}

function induceLarge(text: Uint8Array | Int32Array, order: Int32Array, isSmall: Uint8Array, counts: Int32Array): void {
  const starts = buckets(counts, false)
  const place = (at: number) => {
    const char = text[at] ?? 0
    const slot = starts[char] ?? 0
    starts[char] = slot + 1
    order[slot] = at
  }
  place(text.length - 1)
  for (let index = 0; index < order.length; index++) {
    const at = (order[index] ?? 0) - 1
    if (at >= 0 && isSmall[at] === 0) place(at)
  }
}

function induceSmall(text: Uint8Array | Int32Array, order: Int32Array, isSmall: Uint8Array, counts: Int32Array): void {
  const ends = buckets(counts, true)
  for (let index = order.length - 1; index >= 0; index--) {
    const at = (order[index] ?? 0) - 1
    if (at < 0 || isSmall[at] === 0) continue
    const char = text[at] ?? 0
    const slot = (ends[char] ?? 0) - 1
    ends[char] = slot
    order[slot] = at
  }
}

/** Numbers the substrings between two leftmost positions in their order; equal ones get the same number. */
function nameSubstrings(
  text: Uint8Array | Int32Array,
  sorted: Int32Array,
  isLeftmost: (at: number) => boolean,
): { names: Int32Array; distinct: number } {
  const names = new Int32Array(text.length)
  let distinct = 1
  for (let index = 1; index < sorted.length; index++) {
    const at = sorted[index] ?? 0
    if (!sameSubstring(text, sorted[index - 1] ?? 0, at, isLeftmost)) distinct++
    names[at] = distinct - 1
  }
  return { names, distinct }
}

function sameSubstring(
  text: Uint8Array | Int32Array,
  one: number,
  other: number,
  isLeftmost: (at: number) => boolean,
): boolean {
  for (let offset = 0; ; offset++) {
    if (one + offset >= text.length || other + offset >= text.length) return false
    if (text[one + offset] !== text[other + offset]) return false
    if (offset === 0) continue
    const ended = isLeftmost(one + offset)
    if (ended !== isLeftmost(other + offset)) return false
    if (ended) return true
  }
}

/** The inverse of a text in which every character occurs once. */
function positionsOf(text: Int32Array): Int32Array {
  const positions = new Int32Array(text.length)
  for (const [at, char] of text.entries()) positions[char] = at
  return positions
}

/** A match: `length` bytes at `at` equal those `distance` bytes before. */
export type OnMatch = (at: number, distance: number, length: number) => void

const HASH_BITS = 15
const MIN_LENGTH = 4
/**
 * The last match starts at least this many bytes before the end, and never includes the last five bytes: the LZ4 block
 * format requires both, and the other formats allow it.
 */
const START_MARGIN = 12
const END_MARGIN = 5

const heads = new Int32Array(1 << HASH_BITS)

/**
 * Finds matches from left to right, greedily, in one pass with a hash of four bytes: fast rather than thorough.
 * @param start,end the part of `input` to search, and the only part that matches refer to
 * @param farthest largest distance in bytes
 */
export function findMatches(input: Uint8Array, start: number, end: number, farthest: number, onMatch: OnMatch): void {
  heads.fill(-1)
  const lastStart = end - START_MARGIN
  let misses = 0
  for (let at = start; at <= lastStart; ) {
    const word = wordAt(input, at)
    const slot = Math.imul(word, 0x9e3779b1) >>> (32 - HASH_BITS)
    const candidate = heads[slot] ?? -1
    heads[slot] = at
    if (candidate < 0 || at - candidate > farthest || wordAt(input, candidate) !== word) {
      // Without matches the step size grows.
      at += 1 + (misses++ >> 6)
      continue
    }
    misses = 0
    const length = MIN_LENGTH + equalBytes(input, candidate + MIN_LENGTH, at + MIN_LENGTH, end - END_MARGIN)
    onMatch(at, at - candidate, length)
    at += length
  }
}

/** Length of the common prefix at `one` and `other`, up to `end` (for `other`, the later of the two). */
export function equalBytes(input: Uint8Array, one: number, other: number, end: number): number {
  let length = 0
  while (other + length < end && input[one + length] === input[other + length]) length++
  return length
}

/** Four bytes as a number. */
export function wordAt(input: Uint8Array, at: number): number {
  return (input[at] ?? 0) | ((input[at + 1] ?? 0) << 8) | ((input[at + 2] ?? 0) << 16) | ((input[at + 3] ?? 0) << 24)
}

import { BitSink } from '../bit-writer.ts'
import { writeSymbols } from './encode-huffman.ts'
import { suffixArray } from './suffix-array.ts'

/** Largest input of `bzip2Stream`, in bytes: it is one block even where runs of four make it grow by a quarter. */
export const BZIP2_BLOCK = 719_000

const BLOCK_MAGIC = [0x314159, 0x265359] as const
const END_MAGIC = [0x177245, 0x385090] as const
const MAX_RUN = 255

/** Compresses up to `BZIP2_BLOCK` bytes into a whole bzip2 stream; streams may be concatenated. */
export function bzip2Stream(input: Uint8Array): Uint8Array {
  const out = new BitSink(input.length / 2 + 1024)
  for (const char of 'BZh9') out.put(char.charCodeAt(0), 8)
  const crc = bzip2Checksum(input)
  if (input.length > 0) writeBlock(out, input, crc)
  out.put(END_MAGIC[0], 24)
  out.put(END_MAGIC[1], 24)
  // The stream's checksum combines those of its blocks; for a single block it equals the block's.
  out.put32(input.length > 0 ? crc : 0)
  return out.finish()
}

function writeBlock(out: BitSink, input: Uint8Array, crc: number): void {
  const { last, origin } = sortRotations(shortenRuns(input))
  out.put(BLOCK_MAGIC[0], 24)
  out.put(BLOCK_MAGIC[1], 24)
  out.put32(crc)
  out.put(0, 1)
  out.put(origin, 24)
  const used = usedBytes(last)
  writeUsed(out, used)
  writeSymbols(out, moveToFront(last, used), used.length + 2)
}

/** Runs of more than four equal bytes become four of them and a count. */
function shortenRuns(input: Uint8Array): Uint8Array {
  const out = new Uint8Array(input.length + (input.length >> 2) + 1)
  let length = 0
  for (let at = 0; at < input.length; ) {
    const byte = input[at] ?? 0
    let run = 1
    while (run < MAX_RUN && at + run < input.length && input[at + run] === byte) run++
    const shown = Math.min(run, 4)
    out.fill(byte, length, length + shown)
    length += shown
    if (shown === 4) out[length++] = run - 4
    at += run
  }
  return out.subarray(0, length)
}

/**
 * The Burrows-Wheeler transform: the last column of the sorted rotations, and the row of the text itself. Rotated so
 * that its smallest rotation comes first, a text has its suffixes in the same order as its rotations.
 */
function sortRotations(text: Uint8Array): { last: Uint8Array; origin: number } {
  const size = text.length
  const start = smallestRotation(text)
  const turned = new Uint8Array(size)
  turned.set(text.subarray(start))
  turned.set(text.subarray(0, start), size - start)
  const order = suffixArray(turned, 256)
  const own = (size - start) % size
  const last = new Uint8Array(size)
  let origin = 0
  for (let row = 0; row < size; row++) {
    const at = order[row] ?? 0
    last[row] = turned[at === 0 ? size - 1 : at - 1] ?? 0
    if (at === own) origin = row
  }
  return { last, origin }
}

/** The start of the smallest rotation: of two candidates the loser skips the compared characters. */
function smallestRotation(text: Uint8Array): number {
  const size = text.length
  let one = 0
  let other = 1
  for (let offset = 0; one < size && other < size && offset < size; ) {
    const a = text[(one + offset) % size] ?? 0
    const b = text[(other + offset) % size] ?? 0
    if (a === b) {
      offset++
      continue
    }
    if (a > b) one += offset + 1
    else other += offset + 1
    if (one === other) other++
    offset = 0
  }
  return Math.min(one, other)
}

function usedBytes(text: Uint8Array): number[] {
  const seen = new Uint8Array(256)
  for (const byte of text) seen[byte] = 1
  return Array.from(seen.keys()).filter(byte => seen[byte] === 1)
}

/** Which bytes occur: sixteen bits for the groups of sixteen, then sixteen for each group that has any. */
function writeUsed(out: BitSink, used: readonly number[]): void {
  const groups = new Uint16Array(16)
  for (const byte of used) groups[byte >> 4] = (groups[byte >> 4] ?? 0) | (0x8000 >> (byte & 15))
  out.put(
    groups.reduce((bits, group, index) => (group ? bits | (0x8000 >> index) : bits), 0),
    16,
  )
  for (const group of groups) if (group) out.put(group, 16)
}

/** Run lengths of zeros in two digits (0 is 1, 1 is 2), other ranks plus one, and the end symbol. */
function moveToFront(text: Uint8Array, used: readonly number[]): Uint16Array {
  const ranks = Uint8Array.from(used)
  const out = new Uint16Array(text.length + 1)
  let length = 0
  let zeros = 0
  const writeZeros = () => {
    for (; zeros > 0; zeros = (zeros - 1) >> 1) out[length++] = zeros & 1 ? 0 : 1
  }
  for (const byte of text) {
    if (ranks[0] === byte) {
      zeros++
      continue
    }
    writeZeros()
    const rank = ranks.indexOf(byte)
    ranks.copyWithin(1, 0, rank)
    ranks[0] = byte
    out[length++] = rank + 1
  }
  writeZeros()
  out[length++] = used.length + 1
  return out.subarray(0, length)
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ 0x04c11db7 : value << 1
  return value
})

/**
 * CRC-32 with the bits of each byte in reverse order.
 * @param before checksum of the preceding bytes
 */
export function bzip2Checksum(input: Uint8Array, before = 0): number {
  let crc = ~before
  for (const byte of input) crc = (crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0)
  return ~crc >>> 0
}

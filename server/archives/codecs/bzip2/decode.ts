import type { ChunkReader } from '../../byte-reader.ts'
import { corrupt } from '../../source.ts'
import { BitReader } from '../bit-reader.ts'
import { symbolReader } from './decode-huffman.ts'
import { bzip2Checksum } from './encode.ts'

const SIGNATURE = 0x425a68
const BLOCK = [0x314159, 0x265359] as const
const END = [0x177245, 0x385090] as const
const LEVEL = 100_000
/** Upper limit of a block's size, even where every symbol has the longest code. */
const MAX_PACKED = 3 * 1024 * 1024
const CHUNK = 1024 * 1024

/** Decompresses concatenated bzip2 streams. @throws undecodable */
export async function* unpackBzip2(reader: ChunkReader): AsyncGenerator<Uint8Array> {
  while ((await reader.peek(1)).length > 0) {
    const head = new BitReader(await reader.peek(4))
    if (head.bits(24) !== SIGNATURE) throw corrupt()
    const level = head.bits(8) - 0x30
    if (level < 1 || level > 9) throw corrupt()
    yield* unpackStream(reader, level * LEVEL)
  }
}

/** Blocks begin at any bit: the last byte is kept if it was not read to its end. */
async function* unpackStream(reader: ChunkReader, size: number): AsyncGenerator<Uint8Array> {
  let at = 32
  let whole = 0
  for (;;) {
    await reader.skip(at >> 3)
    const bits = new BitReader(await reader.peek(MAX_PACKED), at % 8)
    const mark = [bits.bits(24), bits.bits(24)]
    const crc = bits.bits32()
    if (mark[0] === END[0] && mark[1] === END[1]) {
      if (crc !== whole) throw corrupt()
      return await reader.skip(Math.ceil(bits.at / 8))
    }
    if (mark[0] !== BLOCK[0] || mark[1] !== BLOCK[1]) throw corrupt()
    let own: number | undefined
    for (const chunk of lengthenRuns(unsort(readBlock(bits, size)))) {
      own = bzip2Checksum(chunk, own)
      yield chunk
    }
    if ((own ?? 0) !== crc) throw corrupt()
    whole = (((whole << 1) | (whole >>> 31)) ^ crc) >>> 0
    at = bits.at
  }
}

interface Sorted {
  /** The last column of the sorted rotations. */
  last: Uint8Array
  /** The row of the text itself. */
  origin: number
}

/** A block up to its Burrows-Wheeler transform. */
function readBlock(bits: BitReader, size: number): Sorted {
  // An obsolete form of blocks.
  if (bits.bits(1) === 1) throw corrupt()
  const origin = bits.bits(24)
  const ranks = readUsed(bits)
  const next = symbolReader(bits, ranks.length + 2)
  const last = new Uint8Array(size)
  let length = 0
  const put = (byte: number, times: number) => {
    if (length + times > size) throw corrupt()
    last.fill(byte, length, length + times)
    length += times
  }
  for (let symbol = next(), run = 0, weight = 1; ; symbol = next()) {
    if (symbol <= 1) {
      run += weight << symbol
      weight <<= 1
      if (run > size) throw corrupt()
      continue
    }
    put(ranks[0] ?? 0, run)
    if (symbol === ranks.length + 1) break
    ;[run, weight] = [0, 1]
    const byte = ranks[symbol - 1] ?? 0
    ranks.copyWithin(1, 0, symbol - 1)
    ranks[0] = byte
    put(byte, 1)
  }
  if (origin >= length) throw corrupt()
  return { last: last.subarray(0, length), origin }
}

/** Which bytes occur: sixteen bits for the groups of sixteen, then sixteen for each group that has any. */
function readUsed(bits: BitReader): Uint8Array {
  const groups = bits.bits(16)
  const used: number[] = []
  for (let group = 0; group < 16; group++) {
    const members = groups & (0x8000 >> group) ? bits.bits(16) : 0
    for (let byte = 0; byte < 16; byte++) if (members & (0x8000 >> byte)) used.push(group * 16 + byte)
  }
  if (used.length === 0) throw corrupt()
  return Uint8Array.from(used)
}

/** Inverts the Burrows-Wheeler transform. */
function unsort({ last, origin }: Sorted): Uint8Array {
  const places = new Uint32Array(257)
  for (const byte of last) places[byte + 1] = (places[byte + 1] ?? 0) + 1
  for (let byte = 1; byte <= 256; byte++) places[byte] = (places[byte] ?? 0) + (places[byte - 1] ?? 0)
  const following = new Uint32Array(last.length)
  for (let row = 0; row < last.length; row++) {
    const byte = last[row] ?? 0
    following[places[byte] ?? 0] = row
    places[byte] = (places[byte] ?? 0) + 1
  }
  const text = new Uint8Array(last.length)
  for (let at = 0, row = following[origin] ?? 0; at < text.length; at++, row = following[row] ?? 0) {
    text[at] = last[row] ?? 0
  }
  return text
}

/** Four equal bytes are followed by the number of further ones. */
function* lengthenRuns(text: Uint8Array): Generator<Uint8Array> {
  let chunk = new Uint8Array(CHUNK)
  let length = 0
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0
    const more = run === 4
    const times = more ? byte : 1
    if (length + times > CHUNK) {
      yield chunk.subarray(0, length)
      chunk = new Uint8Array(CHUNK)
      length = 0
    }
    chunk.fill(more ? (text[at - 1] ?? 0) : byte, length, length + times)
    length += times
    run = more ? 0 : byte === text[at - 1] && run > 0 ? run + 1 : 1
  }
  if (length > 0) yield chunk.subarray(0, length)
}

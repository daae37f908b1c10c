import { ByteSink } from '../byte-writer.ts'
import { findMatches } from '../matches.ts'

const STREAM_IDENTIFIER = Uint8Array.of(0xff, 6, 0, 0, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59)
const COMPRESSED = 0x00
const UNCOMPRESSED = 0x01
const CHUNK = 65_536
const FARTHEST = 65_535
/** Maximum length of one copy element. */
const MAX_COPY = 64
const COPY_2 = 2

/**
 * Compresses bytes into Snappy's framing format. Every result starts with the stream identifier, which may be repeated,
 * so results may be concatenated.
 */
export function snappyFrames(input: Uint8Array): Uint8Array {
  const out = new ByteSink(input.length / 2 + 64)
  out.append(STREAM_IDENTIFIER)
  for (let start = 0; start < input.length; start += CHUNK) pushChunk(out, input.subarray(start, start + CHUNK))
  return out.view()
}

function pushChunk(out: ByteSink, input: Uint8Array): void {
  const block = snappyBlock(input)
  const smaller = block.length < input.length
  const content = smaller ? block : input
  out.push(smaller ? COMPRESSED : UNCOMPRESSED)
  out.pushLittleEndian(content.length + 4, 3)
  out.pushLittleEndian(snappyChecksum(input), 4)
  out.append(content)
}

function snappyBlock(input: Uint8Array): Uint8Array {
  const out = new ByteSink(input.length / 2 + 64)
  pushVarint(out, input.length)
  let done = 0
  findMatches(input, 0, input.length, FARTHEST, (at, distance, length) => {
    pushLiterals(out, input.subarray(done, at))
    pushCopies(out, distance, length)
    done = at + length
  })
  pushLiterals(out, input.subarray(done))
  return out.view()
}

function pushVarint(out: ByteSink, value: number): void {
  let rest = value
  for (; rest >= 0x80; rest >>>= 7) out.push((rest & 0x7f) | 0x80)
  out.push(rest)
}

/** At most one chunk, so that two bytes of length are enough. */
function pushLiterals(out: ByteSink, literals: Uint8Array): void {
  if (literals.length === 0) return
  const length = literals.length - 1
  if (length < 60) out.push(length << 2)
  else {
    const width = length < 256 ? 1 : 2
    out.push((59 + width) << 2)
    out.pushLittleEndian(length, width)
  }
  out.append(literals)
}

function pushCopies(out: ByteSink, distance: number, length: number): void {
  for (let rest = length; rest > 0; rest -= MAX_COPY) {
    out.push(((Math.min(rest, MAX_COPY) - 1) << 2) | COPY_2)
    out.pushLittleEndian(distance, 2)
  }
}

const CASTAGNOLI = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value
})

function crc32c(input: Uint8Array): number {
  let crc = -1
  for (const byte of input) crc = (CASTAGNOLI[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc
}

/** The format stores masked checksums, because the checksum of data that contains its own checksum is weak. */
export function snappyChecksum(input: Uint8Array): number {
  const crc = crc32c(input)
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0
}

import { crc32 } from 'node:zlib'
import { ByteSink } from '../byte-writer.ts'
import { LzmaEncoder } from '../lzma/encode.ts'
import { PROPERTIES } from '../lzma/encode-model.ts'
import { RangeEncoder } from '../lzma/range-encoder.ts'

/** Largest input of `xzStream`, in bytes; also the size of the dictionary. */
export const XZ_BLOCK = 4 * 1024 * 1024

const HEADER_MAGIC = Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00)
const FOOTER_MAGIC = Uint8Array.of(0x59, 0x5a)
/** The integrity check is CRC-32. */
const STREAM_FLAGS = Uint8Array.of(0x00, 0x01)
/** One LZMA2 filter with a dictionary of 4 MiB, no sizes. */
const BLOCK_HEADER = Uint8Array.of(0x02, 0x00, 0x21, 0x01, 20, 0, 0, 0)

const MAX_COMPRESSED = 65_536
const MAX_UNCOMPRESSED = 2 * 1024 * 1024
/** Bytes that one more symbol of the encoder may need. */
const MARGIN = 64

/** Control bytes: what a decoder has to reset before a chunk. */
const CHUNK = { plainFirst: 0x01, plain: 0x02, lzma: 0x80, lzmaNewState: 0xc0, lzmaFirst: 0xe0 } as const

/** Compresses up to `XZ_BLOCK` bytes into a whole .xz stream; streams may be concatenated (.xz format 1.2.1). */
export function xzStream(input: Uint8Array): Uint8Array {
  const out = new ByteSink(input.length / 2 + 256)
  out.append(HEADER_MAGIC)
  out.append(STREAM_FLAGS)
  pushCrc(out, STREAM_FLAGS)
  const unpadded = input.length > 0 ? pushBlock(out, input) : 0
  const index = indexOf(input.length, unpadded)
  out.append(index)
  pushFooter(out, index.length)
  return out.view()
}

/** @returns size of the block without its padding, in bytes */
function pushBlock(out: ByteSink, input: Uint8Array): number {
  const start = out.length
  out.append(BLOCK_HEADER)
  pushCrc(out, BLOCK_HEADER)
  pushChunks(out, input)
  const unpadded = out.length - start + 4
  while (out.length % 4 !== 0) out.push(0)
  pushCrc(out, input)
  return unpadded
}

/** LZMA2: chunks that are compressed where that makes them smaller, and an end marker. */
function pushChunks(out: ByteSink, input: Uint8Array): void {
  const packed = new ByteSink(MAX_COMPRESSED)
  const coder = new RangeEncoder(packed)
  const encoder = new LzmaEncoder(input, coder)
  let stateKnown = false
  for (let at = 0; at < input.length; ) {
    packed.clear()
    coder.reset()
    if (!stateKnown) encoder.resetModel()
    const end = encoder.encode(at, MAX_COMPRESSED - MARGIN, MAX_UNCOMPRESSED)
    coder.finish()
    if (packed.length < end - at) {
      const kind = stateKnown ? CHUNK.lzma : at === 0 ? CHUNK.lzmaFirst : CHUNK.lzmaNewState
      pushLzmaChunk(out, kind, end - at, packed.view())
      stateKnown = true
    } else {
      pushPlainChunk(out, at === 0 ? CHUNK.plainFirst : CHUNK.plain, input.subarray(at, end))
      stateKnown = false
    }
    at = end
  }
  out.push(0)
}

function pushLzmaChunk(out: ByteSink, kind: number, length: number, packed: Uint8Array): void {
  out.push(kind | ((length - 1) >>> 16))
  pushBigEndian16(out, (length - 1) & 0xffff)
  pushBigEndian16(out, packed.length - 1)
  if (kind !== CHUNK.lzma) out.push(PROPERTIES)
  out.append(packed)
}

function pushPlainChunk(out: ByteSink, kind: number, bytes: Uint8Array): void {
  out.push(kind)
  pushBigEndian16(out, bytes.length - 1)
  out.append(bytes)
}

function indexOf(uncompressed: number, unpadded: number): Uint8Array {
  const index = new ByteSink(32)
  index.push(0)
  pushVarint(index, unpadded > 0 ? 1 : 0)
  if (unpadded > 0) {
    pushVarint(index, unpadded)
    pushVarint(index, uncompressed)
  }
  while (index.length % 4 !== 0) index.push(0)
  pushCrc(index, index.view())
  return index.view()
}

function pushFooter(out: ByteSink, indexLength: number): void {
  const fields = new ByteSink(8)
  fields.pushLittleEndian(indexLength / 4 - 1, 4)
  fields.append(STREAM_FLAGS)
  pushCrc(out, fields.view())
  out.append(fields.view())
  out.append(FOOTER_MAGIC)
}

function pushVarint(out: ByteSink, value: number): void {
  let rest = value
  for (; rest >= 0x80; rest >>>= 7) out.push((rest & 0x7f) | 0x80)
  out.push(rest)
}

function pushCrc(out: ByteSink, bytes: Uint8Array): void {
  out.pushLittleEndian(crc32(bytes), 4)
}

function pushBigEndian16(out: ByteSink, value: number): void {
  out.push(value >>> 8)
  out.push(value & 0xff)
}

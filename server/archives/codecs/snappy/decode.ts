import { type ChunkReader, demandBytes } from '../../byte-reader.ts'
import { corrupt } from '../../source.ts'
import { repeat } from '../lz4/decode.ts'
import { snappyChecksum } from './encode.ts'

const KIND = { compressed: 0x00, uncompressed: 0x01, identifier: 0xff } as const
/** Chunk types from here on are skippable. */
const FIRST_SKIPPED = 0x80
/** Maximum content of a chunk in bytes. */
const CHUNK = 65_536

/** Decompresses Snappy's framing format. @throws undecodable */
export async function* unpackSnappy(reader: ChunkReader): AsyncGenerator<Uint8Array> {
  for (let head = await reader.take(4); head; head = await reader.take(4)) {
    const kind = head[0] ?? 0
    const body = await demandBytes(reader, head.readUIntLE(1, 3))
    if (kind === KIND.identifier && body.toString('latin1') !== 'sNaPpY') throw corrupt()
    if (kind >= FIRST_SKIPPED) continue
    if (kind > KIND.uncompressed || body.length < 4) throw corrupt()
    const checksum = body.readUInt32LE(0)
    const content = kind === KIND.compressed ? unpackBlock(body.subarray(4)) : Buffer.from(body.subarray(4))
    if (content.length > CHUNK || snappyChecksum(content) !== checksum) throw corrupt()
    yield content
  }
}

function unpackBlock(packed: Buffer): Uint8Array {
  const { value, at: start } = varintOf(packed)
  if (value > CHUNK) throw corrupt()
  const out = new Uint8Array(value)
  let length = 0
  for (let at = start; at < packed.length; ) {
    const tag = packed[at++] ?? 0
    const width = [Math.max(0, (tag >> 2) - 59), 1, 2, 4][tag & 3] ?? 0
    if (at + width > packed.length) throw corrupt()
    const extra = width === 0 ? 0 : packed.readUIntLE(at, width)
    at += width
    if ((tag & 3) === 0) {
      const count = 1 + (width === 0 ? tag >> 2 : extra)
      if (at + count > packed.length || length + count > out.length) throw corrupt()
      out.set(packed.subarray(at, at + count), length)
      at += count
      length += count
    } else if ((tag & 3) === 1) length = repeat(out, length, ((tag >> 5) << 8) | extra, 4 + ((tag >> 2) & 7))
    else length = repeat(out, length, extra, 1 + (tag >> 2))
  }
  if (length !== value) throw corrupt()
  return out
}

function varintOf(bytes: Buffer): { value: number; at: number } {
  let value = 0
  for (let at = 0; at < 5; at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * at)
    if (byte < 0x80) return { value, at: at + 1 }
  }
  throw corrupt()
}

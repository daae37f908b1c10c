import { AppError } from '../../../errors.ts'
import { type ChunkReader, demandBytes } from '../../byte-reader.ts'
import { corrupt } from '../../source.ts'
import { Xxh32, xxh32 } from './xxh32.ts'

const MAGIC = 0x184d2204
/** Skippable frames have one of sixteen magic numbers. */
const SKIPPED = 0x184d2a50
const FLAG = { dictionary: 0x01, contentChecksum: 0x04, contentSize: 0x08, blockChecksum: 0x10, version: 0xc0 } as const
const VERSION = 0x40
const UNCOMPRESSED = 0x80000000
/** Maximum distance of a match in bytes. */
const REACH = 65_536

/** Decompresses concatenated LZ4 frames (LZ4 frame format 1.6). @throws undecodable, unsupported */
export async function* unpackLz4(reader: ChunkReader): AsyncGenerator<Uint8Array> {
  for (let head = await reader.take(4); head; head = await reader.take(4)) {
    const magic = head.readUInt32LE(0)
    if ((magic & 0xfffffff0) >>> 0 === SKIPPED) await reader.skip((await demandBytes(reader, 4)).readUInt32LE(0))
    else if (magic === MAGIC) yield* unpackFrame(reader)
    else throw corrupt()
  }
}

async function* unpackFrame(reader: ChunkReader): AsyncGenerator<Uint8Array> {
  const [flags = 0, descriptor = 0] = await demandBytes(reader, 2)
  if ((flags & FLAG.version) !== VERSION) throw corrupt()
  if (flags & FLAG.dictionary) throw new AppError('unsupported', 'packed with a dictionary')
  await reader.skip((flags & FLAG.contentSize ? 8 : 0) + 1)
  const most = 1 << (8 + 2 * ((descriptor >> 4) & 7))
  const checksum = new Xxh32()
  let before: Uint8Array = new Uint8Array()
  for (let length = await numberOf(reader); length !== 0; length = await numberOf(reader)) {
    const size = length & ~UNCOMPRESSED
    if (size > most) throw corrupt()
    const packed = Buffer.from(await demandBytes(reader, size))
    if (flags & FLAG.blockChecksum && (await numberOf(reader)) !== xxh32(packed)) throw corrupt()
    const block = length & UNCOMPRESSED ? packed : unpackBlock(packed, before, most)
    before = Buffer.concat([before, block]).subarray(-REACH)
    checksum.add(block)
    yield block
  }
  if (flags & FLAG.contentChecksum && (await numberOf(reader)) !== checksum.digest()) throw corrupt()
}

const numberOf = async (reader: ChunkReader) => (await demandBytes(reader, 4)).readUInt32LE(0)

/** @param before the preceding bytes, as far as matches may reach */
function unpackBlock(packed: Uint8Array, before: Uint8Array, most: number): Uint8Array {
  const out = new Uint8Array(before.length + most)
  out.set(before)
  let length = before.length
  let at = 0
  const lengthFrom = (short: number) => {
    let value = short
    for (let byte = short === 15 ? 255 : 0; byte === 255; value += byte) {
      if (at >= packed.length) throw corrupt()
      byte = packed[at++] ?? 0
    }
    return value
  }
  while (at < packed.length) {
    const token = packed[at++] ?? 0
    const literals = lengthFrom(token >> 4)
    if (at + literals > packed.length || length + literals > out.length) throw corrupt()
    out.set(packed.subarray(at, at + literals), length)
    at += literals
    length += literals
    if (at === packed.length) break
    const distance = (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8)
    at += 2
    length = repeat(out, length, distance, lengthFrom(token & 15) + 4)
  }
  return out.slice(before.length, length)
}

/** Copies bytes from `distance` before, which may overlap the copy. @returns the new length @throws undecodable */
export function repeat(out: Uint8Array, length: number, distance: number, count: number): number {
  if (distance === 0 || distance > length || length + count > out.length) throw corrupt()
  if (distance >= count) out.copyWithin(length, length - distance, length - distance + count)
  else for (let at = length; at < length + count; at++) out[at] = out[at - distance] ?? 0
  return length + count
}

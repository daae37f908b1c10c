import { crc32 } from 'node:zlib'
import { AppError } from '../../../errors.ts'
import { type ChunkReader, demandBytes } from '../../byte-reader.ts'
import { corrupt } from '../../source.ts'
import { lzma2Dictionary, unpackLzma2 } from '../lzma/lzma2.ts'
import { demandWindow } from '../lzma/window.ts'
import { checkOf, type XzCheck } from './integrity-check.ts'

const MAGIC = 'fd377a585a00'
const FOOTER_MAGIC = 'YZ'
const LZMA2 = 0x21
const FLAG = { filters: 0x03, packedSize: 0x40, size: 0x80 } as const

/** Decompresses concatenated .xz streams (.xz format 1.2.1). @throws undecodable, unsupported */
export async function* unpackXz(reader: ChunkReader): AsyncGenerator<Uint8Array> {
  for (let head = await reader.take(4); head; head = await reader.take(4)) {
    // Stream padding: zeros in multiples of four.
    if (head.readUInt32LE(0) === 0) continue
    yield* unpackStream(reader, Buffer.from(head))
  }
}

async function* unpackStream(reader: ChunkReader, begin: Buffer): AsyncGenerator<Uint8Array> {
  const head = Buffer.concat([begin, await demandBytes(reader, 8)])
  const flags = head.subarray(6, 8)
  if (head.toString('hex', 0, 6) !== MAGIC || head.readUInt32LE(8) !== crc32(flags)) throw corrupt()
  const check = (head[7] ?? 0) & 0x0f
  for (;;) {
    const size = (await demandBytes(reader, 1)).readUInt8(0)
    if (size === 0) break
    yield* unpackBlock(reader, (size + 1) * 4, checkOf(check))
  }
  await skipIndex(reader)
  const footer = await demandBytes(reader, 12)
  if (footer.toString('latin1', 10) !== FOOTER_MAGIC || !footer.subarray(8, 10).equals(flags)) throw corrupt()
}

async function* unpackBlock(reader: ChunkReader, headerSize: number, check: XzCheck): AsyncGenerator<Uint8Array> {
  const dictionary = dictionaryOf(
    Buffer.concat([Buffer.of(headerSize / 4 - 1), await demandBytes(reader, headerSize - 1)]),
  )
  demandWindow(dictionary)
  const start = reader.at
  for await (const chunk of unpackLzma2(reader, dictionary)) {
    check.add(chunk)
    yield chunk
  }
  await reader.skip((4 - ((reader.at - start) % 4)) % 4)
  const stored = check.size === 0 ? Buffer.alloc(0) : await demandBytes(reader, check.size)
  if (!check.fits(stored)) throw corrupt()
}

/**
 * Reads a block's header. @returns size of the dictionary in bytes @throws undecodable; unsupported for other filters
 * than LZMA2
 */
function dictionaryOf(header: Buffer): number {
  const end = header.length - 4
  if (header.readUInt32LE(end) !== crc32(header.subarray(0, end))) throw corrupt()
  const flags = header[1] ?? 0
  let at = 2
  const sizes = (flags & FLAG.packedSize ? 1 : 0) + (flags & FLAG.size ? 1 : 0)
  for (let size = 0; size < sizes; size++) while ((header[at++] ?? 0) & 0x80);
  if ((flags & FLAG.filters) !== 0 || header[at] !== LZMA2 || header[at + 1] !== 1) {
    throw new AppError('unsupported', 'packed by an unsupported method')
  }
  return lzma2Dictionary(header[at + 2] ?? 0)
}

/** The index of blocks, which is redundant here. */
async function skipIndex(reader: ChunkReader): Promise<void> {
  const start = reader.at - 1
  const number = async () => {
    let value = 0
    for (let at = 0; at < 9; at++) {
      const byte = (await demandBytes(reader, 1)).readUInt8(0)
      value += (byte & 0x7f) * 2 ** (7 * at)
      if (byte < 0x80) return value
    }
    throw corrupt()
  }
  const records = await number()
  for (let record = 0; record < 2 * records; record++) await number()
  await reader.skip((4 - ((reader.at - start) % 4)) % 4)
  await reader.skip(4)
}

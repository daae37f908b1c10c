import { type ChunkReader, demandBytes } from '../../byte-reader.ts'
import { corrupt } from '../../source.ts'
import { LzmaDecoder } from './decode.ts'
import { LzmaWindow } from './window.ts'

/** Maximum output of one chunk in bytes. */
const MAX_CHUNK = 2 * 1024 * 1024
/** Control bytes: those below `lzma` mark uncompressed chunks, the others also encode which state to reset. */
const CHUNK = { end: 0x00, plainFirst: 0x01, plain: 0x02, lzma: 0x80 } as const
const RESET = { state: 1, properties: 2, dictionary: 3 } as const

/** Size of the dictionary in bytes, from its encoding in one byte (.xz format 5.3.1). @throws undecodable */
export function lzma2Dictionary(bits: number): number {
  if (bits > 40) throw corrupt()
  return bits === 40 ? 0xffffffff : (2 | (bits & 1)) * 2 ** (Math.floor(bits / 2) + 11)
}

/** Decompresses the chunks of LZMA2 up to the end marker (.xz format 5.3.1). @throws undecodable */
export async function* unpackLzma2(reader: ChunkReader, dictionary: number): AsyncGenerator<Uint8Array> {
  const window = new LzmaWindow(dictionary, MAX_CHUNK)
  const decoder = new LzmaDecoder(window)
  for (let kind = await byteOf(reader); kind !== CHUNK.end; kind = await byteOf(reader)) {
    window.begin(MAX_CHUNK)
    if (kind > CHUNK.plain && kind < CHUNK.lzma) throw corrupt()
    const length =
      kind < CHUNK.lzma ? await plainChunk(reader, kind, window) : await lzmaChunk(reader, kind, window, decoder)
    if (kind < CHUNK.lzma) decoder.moved(kind === CHUNK.plainFirst ? length : decoder.written + length)
    yield window.last(length)
  }
}

async function plainChunk(reader: ChunkReader, kind: number, window: LzmaWindow): Promise<number> {
  if (kind === CHUNK.plainFirst) window.forget()
  const length = (await demandBytes(reader, 2)).readUInt16BE(0) + 1
  window.append(await demandBytes(reader, length))
  return length
}

async function lzmaChunk(reader: ChunkReader, kind: number, window: LzmaWindow, decoder: LzmaDecoder): Promise<number> {
  const head = await demandBytes(reader, 4)
  const length = ((kind & 0x1f) << 16) + head.readUInt16BE(0) + 1
  const packed = head.readUInt16BE(2) + 1
  const reset = (kind >> 5) & 3
  if (reset === RESET.dictionary) {
    window.forget()
    decoder.moved(0)
  }
  if (reset >= RESET.properties) decoder.setProperties(await byteOf(reader))
  if (reset >= RESET.state) decoder.reset()
  decoder.decode(await demandBytes(reader, packed), length)
  return length
}

async function byteOf(reader: ChunkReader): Promise<number> {
  return (await demandBytes(reader, 1)).readUInt8(0)
}

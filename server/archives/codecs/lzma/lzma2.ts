import { demandBytes, type PieceReader } from '../../byte-reader.ts'
import { damaged } from '../../source.ts'
import { LzmaDecoder } from './decode.ts'
import { LzmaWindow } from './window.ts'

/** Most bytes that one chunk unpacks to. */
const MAX_CHUNK = 2 * 1024 * 1024
/** Chunks up to here are not packed; from here on their first byte says what is to be forgotten. */
const CHUNK = { end: 0x00, plainFirst: 0x01, plain: 0x02, lzma: 0x80 } as const
const RESET = { state: 1, properties: 2, dictionary: 3 } as const

/** Bytes of the dictionary, as one byte tells it (.xz format 5.3.1). @throws undecodable */
export function lzma2Dictionary(bits: number): number {
  if (bits > 40) throw damaged()
  return bits === 40 ? 0xffffffff : (2 | (bits & 1)) * 2 ** (Math.floor(bits / 2) + 11)
}

/** Unpacks the chunks of LZMA2 up to the end mark (.xz format 5.3.1). @throws undecodable */
export async function* unpackLzma2(reader: PieceReader, dictionary: number): AsyncGenerator<Uint8Array> {
  const window = new LzmaWindow(dictionary, MAX_CHUNK)
  const decoder = new LzmaDecoder(window)
  for (let kind = await byteOf(reader); kind !== CHUNK.end; kind = await byteOf(reader)) {
    window.begin(MAX_CHUNK)
    if (kind > CHUNK.plain && kind < CHUNK.lzma) throw damaged()
    const length =
      kind < CHUNK.lzma ? await plainChunk(reader, kind, window) : await lzmaChunk(reader, kind, window, decoder)
    if (kind < CHUNK.lzma) decoder.moved(kind === CHUNK.plainFirst ? length : decoder.written + length)
    yield window.last(length)
  }
}

async function plainChunk(reader: PieceReader, kind: number, window: LzmaWindow): Promise<number> {
  if (kind === CHUNK.plainFirst) window.forget()
  const length = (await demandBytes(reader, 2)).readUInt16BE(0) + 1
  window.append(await demandBytes(reader, length))
  return length
}

async function lzmaChunk(reader: PieceReader, kind: number, window: LzmaWindow, decoder: LzmaDecoder): Promise<number> {
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

async function byteOf(reader: PieceReader): Promise<number> {
  return (await demandBytes(reader, 1)).readUInt8(0)
}

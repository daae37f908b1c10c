import { demandBytes, type PieceReader } from '../../byte-reader.ts'
import { damaged } from '../../source.ts'
import { LzmaDecoder, MAX_MATCH } from './decode.ts'
import { demandWindow, LzmaWindow } from './window.ts'

/** Bytes that begin a stream. */
const HEAD = 5
/** Properties of the model in a byte, and the size of the dictionary in four. */
const PROPERTIES = 5
/** Bytes that are unpacked at a time, and room for the match that goes beyond. */
const CHUNK = 1024 * 1024
const ROOM = CHUNK + MAX_MATCH

/** Unpacks LZMA that is not parted into chunks. @throws undecodable, unsupported when it needs too much memory */
export async function* unpackLzma(
  reader: PieceReader,
  properties: Uint8Array,
  { packed, size }: { packed: number; size: number },
): AsyncGenerator<Uint8Array> {
  if (properties.length !== PROPERTIES || packed < HEAD) throw damaged()
  const dictionary = Buffer.from(properties).readUInt32LE(1)
  const window = new LzmaWindow(demandWindow(Math.min(size, dictionary)), ROOM)
  const decoder = new LzmaDecoder(window)
  decoder.setProperties(properties[0] ?? 0)
  decoder.reset()
  decoder.begin(await demandBytes(reader, HEAD))
  for await (const piece of reader.pass(packed - HEAD)) {
    decoder.feed(piece)
    yield* unpackedSoFar(decoder, window, size, false)
  }
  yield* unpackedSoFar(decoder, window, size, true)
}

/** What can be unpacked of what was fed. */
function* unpackedSoFar(
  decoder: LzmaDecoder,
  window: LzmaWindow,
  size: number,
  isLast: boolean,
): Generator<Uint8Array> {
  while (decoder.written < size) {
    window.begin(ROOM)
    const count = decoder.unpack(CHUNK, size, isLast)
    if (count === 0) return
    yield window.last(count)
  }
}

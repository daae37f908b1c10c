import { type ChunkReader, demandBytes } from '../../byte-reader.ts'
import { corrupt } from '../../source.ts'
import { LzmaDecoder, MAX_MATCH } from './decode.ts'
import { demandWindow, LzmaWindow } from './window.ts'

/** Bytes that begin a stream. */
const HEAD = 5
/** Properties of the model in a byte, and the size of the dictionary in four. */
const PROPERTIES = 5
/** Bytes that are decompressed at a time, and room for a match that exceeds them. */
const CHUNK = 1024 * 1024
const ROOM = CHUNK + MAX_MATCH

/** Decompresses LZMA without chunks. @throws undecodable, unsupported when it needs too much memory */
export async function* unpackLzma(
  reader: ChunkReader,
  properties: Uint8Array,
  { packed, size }: { packed: number; size: number },
): AsyncGenerator<Uint8Array> {
  if (properties.length !== PROPERTIES || packed < HEAD) throw corrupt()
  const dictionary = Buffer.from(properties).readUInt32LE(1)
  const window = new LzmaWindow(demandWindow(Math.min(size, dictionary)), ROOM)
  const decoder = new LzmaDecoder(window)
  decoder.setProperties(properties[0] ?? 0)
  decoder.reset()
  decoder.begin(await demandBytes(reader, HEAD))
  for await (const chunk of reader.pass(packed - HEAD)) {
    decoder.feed(chunk)
    yield* unpackedSoFar(decoder, window, size, false)
  }
  yield* unpackedSoFar(decoder, window, size, true)
}

/** Decompresses the input fed so far. */
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

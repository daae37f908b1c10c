import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { AppError } from '../../errors.ts'
import { ChunkReader } from '../byte-reader.ts'
import { corrupt } from '../source.ts'
import { BranchFilter } from './branch-filters.ts'
import { unpackBzip2 } from './bzip2/decode.ts'
import { unpackLzma } from './lzma/lzma-alone.ts'
import { lzma2Dictionary, unpackLzma2 } from './lzma/lzma2.ts'
import { demandWindow } from './lzma/window.ts'

/** One of the steps of decoding a block of an archive. */
export interface Coder {
  /** The archive's id of the method, in hexadecimal digits. */
  id: string
  properties: Uint8Array
  /** Bytes of output. */
  size: number
}

/** Input: a reader, and its size in bytes. */
type Decode = (reader: ChunkReader, coder: Coder, packed: number) => AsyncGenerator<Uint8Array>

const COPY = '00'

/** Supported methods by id (7z format, methods). */
const CODERS: Readonly<Record<string, Decode>> = {
  [COPY]: (reader, { size }) => reader.pass(size),
  '03': delta,
  '04': branches,
  '21': (reader, { properties, size }) =>
    unpackLzma2(reader, demandWindow(Math.min(size, lzma2Dictionary(properties[0] ?? 0)))),
  '030101': (reader, { properties, size }, packed) => unpackLzma(reader, properties, { packed, size }),
  '03030103': branches,
  '040108': (reader, _coder, packed) => inflated(reader.pass(packed)),
  '040202': reader => unpackBzip2(reader),
}

/** Whether the method is supported. */
export const isSupported = ({ id }: Coder): boolean => id in CODERS

/** Whether the content is stored without compression. */
export const isPlain = ({ id }: Coder): boolean => id === COPY

/** The bytes of a block, passed through its coders in sequence. @throws undecodable, unsupported */
export async function* throughCoders(
  reader: ChunkReader,
  coders: readonly Coder[],
  packed: number,
): AsyncGenerator<Uint8Array> {
  let [last, size] = [reader, packed]
  for (const coder of coders) {
    const decode = CODERS[coder.id]
    if (!decode) throw new AppError('unsupported', 'packed by an unsupported method')
    last = new ChunkReader(decode(last, coder, size))
    size = coder.size
  }
  yield* last.pass(size)
}

async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw()
  pipeline(Readable.from(packed, { objectMode: false }), inflate, () => {})
  try {
    yield* inflate
  } catch {
    throw corrupt()
  } finally {
    inflate.destroy()
  }
}

/** Each byte is stored as the difference from the one at a distance before. */
async function* delta(reader: ChunkReader, { properties, size }: Coder): AsyncGenerator<Uint8Array> {
  const before = new Uint8Array((properties[0] ?? 0) + 1)
  let at = 0
  for await (const chunk of reader.pass(size)) {
    const bytes = Uint8Array.from(chunk)
    for (const [index, byte] of bytes.entries()) {
      const sum = (byte + (before[at] ?? 0)) & 0xff
      bytes[index] = sum
      before[at] = sum
      at = (at + 1) % before.length
    }
    yield bytes
  }
}

/** x86 programs whose jumps are stored with absolute targets. */
async function* branches(reader: ChunkReader, { size }: Coder): AsyncGenerator<Uint8Array> {
  const filter = new BranchFilter()
  for await (const chunk of reader.pass(size)) yield filter.take(chunk)
  yield filter.end()
}

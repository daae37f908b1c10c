import { pipeline, Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { AppError } from '../../errors.ts'
import { PieceReader } from '../byte-reader.ts'
import { damaged } from '../source.ts'
import { BranchFilter } from './branch-filters.ts'
import { unpackBzip2 } from './bzip2/decode.ts'
import { unpackLzma } from './lzma/lzma-alone.ts'
import { lzma2Dictionary, unpackLzma2 } from './lzma/lzma2.ts'
import { demandWindow } from './lzma/window.ts'

/** One of the steps in which a block of an archive is unpacked. */
export interface Coder {
  /** As the archive names it, in hexadecimal digits. */
  id: string
  properties: Uint8Array
  /** Bytes that come out. */
  size: number
}

/** What goes in: a reader, and how many bytes it has. */
type Decode = (reader: PieceReader, coder: Coder, packed: number) => AsyncGenerator<Uint8Array>

const COPY = '00'

/** Methods that are read, by their numbers (7z format, methods). */
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

/** Whether somebody here can unpack it. */
export const knows = ({ id }: Coder): boolean => id in CODERS

/** Whether nothing needs to be done. */
export const isPlain = ({ id }: Coder): boolean => id === COPY

/** The bytes of a block, through one coder after the other. @throws undecodable, unsupported */
export async function* throughCoders(
  reader: PieceReader,
  coders: readonly Coder[],
  packed: number,
): AsyncGenerator<Uint8Array> {
  let [last, size] = [reader, packed]
  for (const coder of coders) {
    const decode = CODERS[coder.id]
    if (!decode) throw new AppError('unsupported', 'packed by a method that is not known')
    last = new PieceReader(decode(last, coder, size))
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
    throw damaged()
  } finally {
    inflate.destroy()
  }
}

/** Each byte was told by how it differs from the one so far before. */
async function* delta(reader: PieceReader, { properties, size }: Coder): AsyncGenerator<Uint8Array> {
  const before = new Uint8Array((properties[0] ?? 0) + 1)
  let at = 0
  for await (const piece of reader.pass(size)) {
    const bytes = Uint8Array.from(piece)
    for (const [index, byte] of bytes.entries()) {
      const sum = (byte + (before[at] ?? 0)) & 0xff
      bytes[index] = sum
      before[at] = sum
      at = (at + 1) % before.length
    }
    yield bytes
  }
}

/** Programs of x86, whose jumps were told by where they lead. */
async function* branches(reader: PieceReader, { size }: Coder): AsyncGenerator<Uint8Array> {
  const filter = new BranchFilter()
  for await (const piece of reader.pass(size)) yield filter.take(piece)
  yield filter.end()
}

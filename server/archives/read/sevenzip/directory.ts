import { crc32 } from 'node:zlib'
import { AppError } from '../../../errors.ts'
import { demandBytes, PieceReader } from '../../byte-reader.ts'
import type { UnpackOptions } from '../../codecs/compression.ts'
import { type ByteSource, damaged } from '../../source.ts'
import { blockContent } from './block.ts'
import { Cursor } from './cursor.ts'
import { readFiles, type SevenFile } from './files.ts'
import { ID, MAX_HEADER, SIGNATURE_LENGTH } from './property-ids.ts'
import { readStreams, type Streams } from './streams.ts'

/** Headers that may be packed within each other. */
const MAX_NESTED = 4

/** What is in an archive of 7-Zip. */
export interface SevenDirectory extends Streams {
  files: readonly SevenFile[]
}

const NOTHING: SevenDirectory = { blocks: [], parts: [], files: [] }

/** Reads the header at the end, which may be packed itself. @throws undecodable, unsupported, encrypted */
export async function readDirectory(source: ByteSource, options: UnpackOptions): Promise<SevenDirectory> {
  const start = await source.read(0, SIGNATURE_LENGTH)
  if (crc32(start.subarray(12)) !== start.readUInt32LE(8)) throw damaged()
  const [offset, length] = [Number(start.readBigUInt64LE(12)), Number(start.readBigUInt64LE(20))]
  if (length === 0) return NOTHING
  if (length > MAX_HEADER) throw new AppError('unsupported', 'too much in it')
  let header = await source.read(SIGNATURE_LENGTH + offset, length)
  if (crc32(header) !== start.readUInt32LE(28)) throw damaged()
  for (let nested = 0; header[0] === ID.packedHeader; nested++) {
    if (nested === MAX_NESTED) throw damaged()
    header = await unpackedHeader(source, readStreams(new Cursor(header.subarray(1))), options)
  }
  return readHeader(new Cursor(header), source.size)
}

async function unpackedHeader(source: ByteSource, { blocks }: Streams, options: UnpackOptions): Promise<Buffer> {
  const [block] = blocks
  if (!block) throw damaged()
  if (block.size > MAX_HEADER) throw new AppError('unsupported', 'too much in it')
  const reader = new PieceReader(blockContent(source, block, options))
  try {
    const header = Buffer.from(await demandBytes(reader, block.size))
    if (block.crc !== undefined && crc32(header) !== block.crc) throw damaged()
    return header
  } finally {
    await reader.close()
  }
}

function readHeader(cursor: Cursor, size: number): SevenDirectory {
  if (cursor.byte() !== ID.header) throw damaged()
  let streams: Streams = NOTHING
  let files: readonly SevenFile[] = []
  for (let id = cursor.byte(); id !== ID.end; id = cursor.byte()) {
    if (id === ID.streams) streams = readStreams(cursor)
    else if (id === ID.moreStreams) readStreams(cursor)
    else if (id === ID.files) files = readFiles(cursor)
    else if (id === ID.archiveProperties) skipProperties(cursor)
    else throw damaged()
  }
  const isWithin = streams.blocks.every(({ start, packed }) => SIGNATURE_LENGTH + start + packed <= size)
  if (!isWithin || files.filter(({ filled }) => filled).length !== streams.parts.length) throw damaged()
  return { ...streams, files }
}

function skipProperties(cursor: Cursor): void {
  for (let id = cursor.byte(); id !== ID.end; id = cursor.byte()) cursor.take(cursor.number())
}

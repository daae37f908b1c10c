import { crc32 } from 'node:zlib'
import { AppError } from '../../../errors.ts'
import { ChunkReader, demandBytes } from '../../byte-reader.ts'
import type { UnpackOptions } from '../../codecs/compression.ts'
import { type ByteSource, corrupt } from '../../source.ts'
import { blockContent } from './block.ts'
import { Cursor } from './cursor.ts'
import { readFiles, type SevenFile } from './files.ts'
import { ID, MAX_HEADER, SIGNATURE_LENGTH } from './property-ids.ts'
import { readStreams, type Streams } from './streams.ts'

/** Maximum nesting of compressed headers. */
const MAX_NESTED = 4

/** The content of a 7z archive. */
export interface SevenDirectory extends Streams {
  files: readonly SevenFile[]
}

const NOTHING: SevenDirectory = { blocks: [], parts: [], files: [] }

/** Reads the header at the end, which may be compressed itself. @throws undecodable, unsupported, encrypted */
export async function readDirectory(source: ByteSource, options: UnpackOptions): Promise<SevenDirectory> {
  const start = await source.read(0, SIGNATURE_LENGTH)
  if (crc32(start.subarray(12)) !== start.readUInt32LE(8)) throw corrupt()
  const [offset, length] = [Number(start.readBigUInt64LE(12)), Number(start.readBigUInt64LE(20))]
  if (length === 0) return NOTHING
  if (length > MAX_HEADER) throw new AppError('unsupported', 'the header is too large')
  let header = await source.read(SIGNATURE_LENGTH + offset, length)
  if (crc32(header) !== start.readUInt32LE(28)) throw corrupt()
  for (let nested = 0; header[0] === ID.packedHeader; nested++) {
    if (nested === MAX_NESTED) throw corrupt()
    header = await unpackedHeader(source, readStreams(new Cursor(header.subarray(1))), options)
  }
  return readHeader(new Cursor(header), source.size)
}

async function unpackedHeader(source: ByteSource, { blocks }: Streams, options: UnpackOptions): Promise<Buffer> {
  const [block] = blocks
  if (!block) throw corrupt()
  if (block.size > MAX_HEADER) throw new AppError('unsupported', 'the header is too large')
  const reader = new ChunkReader(blockContent(source, block, options))
  try {
    const header = Buffer.from(await demandBytes(reader, block.size))
    if (block.crc !== undefined && crc32(header) !== block.crc) throw corrupt()
    return header
  } finally {
    await reader.close()
  }
}

function readHeader(cursor: Cursor, size: number): SevenDirectory {
  if (cursor.byte() !== ID.header) throw corrupt()
  let streams: Streams = NOTHING
  let files: readonly SevenFile[] = []
  for (let id = cursor.byte(); id !== ID.end; id = cursor.byte()) {
    if (id === ID.streams) streams = readStreams(cursor)
    else if (id === ID.moreStreams) readStreams(cursor)
    else if (id === ID.files) files = readFiles(cursor)
    else if (id === ID.archiveProperties) skipProperties(cursor)
    else throw corrupt()
  }
  const isWithin = streams.blocks.every(({ start, packed }) => SIGNATURE_LENGTH + start + packed <= size)
  if (!isWithin || files.filter(({ filled }) => filled).length !== streams.parts.length) throw corrupt()
  return { ...streams, files }
}

function skipProperties(cursor: Cursor): void {
  for (let id = cursor.byte(); id !== ID.end; id = cursor.byte()) cursor.take(cursor.number())
}

import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { AppError } from '../../errors.ts'
import { type ByteSource, corrupt } from '../source.ts'
import type { OpenedArchive, ReadMember } from './members.ts'
import { findDirectory, recordsOf, type ZipDirectory } from './zip-directory.ts'
import type { ZipRecord } from './zip-record.ts'

const LOCAL = 0x04034b50
const LOCAL_LENGTH = 30
const METHOD = { stored: 0, deflate: 8 } as const
/** Bytes of decompressed chunks. */
const CHUNK = 256 * 1024

/** A zip, read by its central directory. @throws undecodable, unsupported */
export async function openZip(source: ByteSource): Promise<OpenedArchive> {
  const directory = await findDirectory(source)
  return {
    async *members(signal) {
      for await (const record of recordsOf(source, directory)) {
        signal.throwIfAborted()
        yield memberOf(source, record)
      }
    },
    survey: signal => survey(source, directory, signal),
  }
}

function memberOf(source: ByteSource, record: ZipRecord): ReadMember {
  const { number, name, kind, size, modified, mode, encrypted } = record
  return { number, name, kind, size, modified, mode, encrypted, content: () => contentOf(source, record) }
}

/** A member's bytes, with size and checksum verified. @throws encrypted, unsupported, undecodable */
async function* contentOf(source: ByteSource, record: ZipRecord): AsyncGenerator<Uint8Array> {
  if (record.encrypted) throw new AppError('encrypted')
  let size = 0
  let crc = 0
  for await (const chunk of unpacked(record, source.stream(await contentStart(source, record), record.packed))) {
    size += chunk.length
    if (size > record.size) throw corrupt()
    crc = crc32(chunk, crc)
    yield chunk
  }
  if (size !== record.size || crc !== record.crc) throw corrupt()
}

/** The local header declares its own length (APPNOTE 4.3.7). */
async function contentStart(source: ByteSource, { offset }: ZipRecord): Promise<number> {
  const head = await source.read(offset, LOCAL_LENGTH)
  if (head.readUInt32LE(0) !== LOCAL) throw corrupt()
  return offset + LOCAL_LENGTH + head.readUInt16LE(26) + head.readUInt16LE(28)
}

function unpacked({ method }: ZipRecord, packed: AsyncIterable<Buffer>): AsyncIterable<Uint8Array> {
  if (method === METHOD.stored) return packed
  if (method === METHOD.deflate) return inflated(packed)
  throw new AppError('unsupported', 'packed by an unsupported method')
}

async function* inflated(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: CHUNK })
  pipeline(Readable.from(packed, { objectMode: false }), inflate, () => {})
  try {
    yield* inflate
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : corrupt()
  } finally {
    inflate.destroy()
  }
}

/** Overlapping members let a small file decompress to any size: no honest program makes them. */
async function survey(source: ByteSource, directory: ZipDirectory, signal: AbortSignal) {
  const extents: { from: number; to: number }[] = []
  let bytes = 0
  for await (const { offset, extent, size } of recordsOf(source, directory)) {
    signal.throwIfAborted()
    extents.push({ from: offset, to: offset + extent })
    bytes += size
  }
  extents.sort((a, b) => a.from - b.from)
  for (const [index, { from }] of extents.entries()) {
    if (from < (extents[index - 1]?.to ?? 0)) throw corrupt()
  }
  return { bytes, members: extents.length }
}

import { AppError } from '../../errors.ts'
import type { OpenFile } from '../../files/types.ts'
import type { Semaphore } from '../../lib/limit.ts'
import { ChunkReader, LeapingReader } from '../byte-reader.ts'
import { type Unpack, unpackOf } from '../codecs/compression.ts'
import { type ByteSource, corrupt, sourceOf } from '../source.ts'
import type { OpenedArchive, ReadMember } from './members.ts'
import { openSeven } from './sevenzip/sevenzip.ts'
import { tarMembers } from './tar.ts'
import { BLOCK, isTarHeader } from './tar-header.ts'
import { openZip } from './zip.ts'

/** Magic numbers of a zip: a member, the end record of an empty archive, the marker of a split archive. */
const ZIP_STARTS: readonly string[] = ['504b0304', '504b0506', '504b0708']
const SEVEN_START = '377abcaf271c'
/** Magic number of RAR, which is recognized and not supported. */
const RAR_START = '526172211a07'

/**
 * Opens an archive, recognized by its content and not by its name: zip, 7z, or tar, compressed or not. The file must
 * stay open.
 * @param semaphore limits decompression threads
 * @throws undecodable when it is not an archive, unsupported for unsupported formats
 */
export async function openArchive(file: OpenFile, semaphore: Semaphore): Promise<OpenedArchive> {
  const source = sourceOf(file)
  const head = await source.read(0, Math.min(source.size, BLOCK))
  const start = head.toString('hex', 0, 8)
  if (ZIP_STARTS.some(own => start.startsWith(own))) return openZip(source)
  if (start.startsWith(SEVEN_START)) return openSeven(source, semaphore)
  if (start.startsWith(RAR_START)) throw new AppError('unsupported', 'an unsupported archive format')
  if (isTarHeader(head)) return { members: signal => tarMembers(new LeapingReader(source), signal) }
  const unpack = unpackOf(head, file.entry.name)
  if (!unpack) throw corrupt()
  return { isPacked: true, members: signal => packedTar(source, unpack, semaphore, signal) }
}

async function* packedTar(
  source: ByteSource,
  unpack: Unpack,
  semaphore: Semaphore,
  signal: AbortSignal,
): AsyncGenerator<ReadMember> {
  const reader = new ChunkReader(unpack(source.stream(0, source.size), { semaphore, signal }))
  try {
    const head = await reader.peek(BLOCK)
    if (!isTarHeader(head) && head.length > 0) throw corrupt()
    yield* tarMembers(reader, signal)
  } finally {
    await reader.close()
  }
}

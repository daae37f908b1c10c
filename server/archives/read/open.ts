import { AppError } from '../../errors.ts'
import type { OpenFile } from '../../files/types.ts'
import type { Semaphore } from '../../lib/limit.ts'
import { LeapingReader, PieceReader } from '../byte-reader.ts'
import { type Unpack, unpackOf } from '../codecs/compression.ts'
import { type ByteSource, damaged, sourceOf } from '../source.ts'
import type { OpenedArchive, ReadMember } from './members.ts'
import { openSeven } from './sevenzip/sevenzip.ts'
import { tarMembers } from './tar.ts'
import { BLOCK, isTarHeader } from './tar-header.ts'
import { openZip } from './zip.ts'

/** How a zip begins: with a member, with its end when it is empty, with a mark of several parts. */
const ZIP_STARTS: readonly string[] = ['504b0304', '504b0506', '504b0708']
const SEVEN_START = '377abcaf271c'
/** How a RAR begins, which is known and not read. */
const RAR_START = '526172211a07'

/**
 * Opens an archive, by what is in the file and not by its name: zip, 7z, or tar, packed or not. The file stays open, and is
 * still needed.
 * @param decoders for what is unpacked on other threads
 * @throws undecodable when it is none, unsupported for kinds that are not read
 */
export async function openArchive(file: OpenFile, decoders: Semaphore): Promise<OpenedArchive> {
  const source = sourceOf(file)
  const head = await source.read(0, Math.min(source.size, BLOCK))
  const start = head.toString('hex', 0, 8)
  if (ZIP_STARTS.some(own => start.startsWith(own))) return openZip(source)
  if (start.startsWith(SEVEN_START)) return openSeven(source, decoders)
  if (start.startsWith(RAR_START)) throw new AppError('unsupported', 'a kind that is not read')
  if (isTarHeader(head)) return { members: signal => tarMembers(new LeapingReader(source), signal) }
  const unpack = unpackOf(head, file.entry.name)
  if (!unpack) throw damaged()
  return { isPacked: true, members: signal => packedTar(source, unpack, decoders, signal) }
}

async function* packedTar(
  source: ByteSource,
  unpack: Unpack,
  decoders: Semaphore,
  signal: AbortSignal,
): AsyncGenerator<ReadMember> {
  const reader = new PieceReader(unpack(source.stream(0, source.size), { decoders, signal }))
  try {
    const head = await reader.peek(BLOCK)
    if (!isTarHeader(head) && head.length > 0) throw damaged()
    yield* tarMembers(reader, signal)
  } finally {
    await reader.close()
  }
}

import { textOf } from '../../../shared/bytes.ts'
import { AppError } from '../../errors.ts'
import { type ByteReader, demandBytes } from '../byte-reader.ts'
import { MAX_TAR_EXTENSION } from '../read-limits.ts'
import { corrupt } from '../source.ts'
import type { MemberFacts, ReadMember } from './members.ts'
import { BLOCK, isEmpty, listsMoreHoles, readHeader, type TarHeader } from './tar-header.ts'

/** Kinds by type flag; unknown ones are special. */
const KINDS: Readonly<Record<string, MemberFacts['kind']>> = {
  '0': 'file',
  '7': 'file',
  '5': 'folder',
  D: 'folder',
  '1': 'link',
  '2': 'link',
}

/** Extended headers of the next member, or of all that follow. */
type Extension = ReadonlyMap<string, string>
const NOTHING: Extension = new Map()

/**
 * The members of a tar in the ustar, pax and GNU formats. The unread rest of a member's content is skipped when the
 * next is requested. Sparse files are special: the stored bytes are not their content.
 * @throws undecodable; unsupported for a multi-volume archive
 */
export async function* tarMembers(reader: ByteReader, signal: AbortSignal): AsyncGenerator<ReadMember> {
  let everywhere = NOTHING
  let own = NOTHING
  let number = 0
  for (let header = await nextHeader(reader); header; header = await nextHeader(reader)) {
    signal.throwIfAborted()
    const { type, size } = header
    if (type === 'M') throw new AppError('unsupported', 'a split archive')
    if (type === 'x') own = new Map([...own, ...recordsOf(await extensionOf(reader, size))])
    else if (type === 'g') everywhere = new Map([...everywhere, ...recordsOf(await extensionOf(reader, size))])
    else if (type === 'L') own = new Map([...own, ['path', nameOf(await extensionOf(reader, size))]])
    else if (type === 'K' || type === 'V') await reader.skip(filled(size))
    else {
      const facts = factsOf(header, number, new Map([...everywhere, ...own]))
      own = NOTHING
      number += 1
      if (header.listsHoles) await skipHoles(reader)
      const end = reader.at + filled(sizeInArchive(facts, header))
      yield { ...facts, content: () => contentOf(reader, facts, end) }
      await reader.skip(end - reader.at)
    }
  }
}

async function nextHeader(reader: ByteReader): Promise<TarHeader | undefined> {
  const block = await reader.take(BLOCK)
  return block && !isEmpty(block) ? readHeader(block) : undefined
}

async function skipHoles(reader: ByteReader): Promise<void> {
  while (listsMoreHoles(await demandBytes(reader, BLOCK)));
}

const filled = (size: number) => Math.ceil(size / BLOCK) * BLOCK

/** Hard links may declare their target's size, but have no content. */
const sizeInArchive = ({ kind, size }: MemberFacts, { type }: TarHeader) =>
  kind === 'link' || ['3', '4', '6'].includes(type) ? 0 : size

async function* contentOf(reader: ByteReader, facts: MemberFacts, end: number): AsyncGenerator<Uint8Array> {
  if (facts.kind !== 'file' || reader.at !== end - filled(facts.size)) throw corrupt()
  yield* reader.pass(facts.size)
}

async function extensionOf(reader: ByteReader, size: number): Promise<Buffer> {
  if (size > MAX_TAR_EXTENSION) throw corrupt()
  const bytes = Buffer.from(size === 0 ? [] : await demandBytes(reader, size))
  await reader.skip(filled(size) - size)
  return bytes
}

function nameOf(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return textOf(end < 0 ? bytes : bytes.subarray(0, end))
}

/** Records of the form `length key=value\n` (POSIX 1003.1, pax). @throws undecodable */
function* recordsOf(bytes: Buffer): Generator<[string, string]> {
  for (let at = 0; at < bytes.length; ) {
    const blank = bytes.indexOf(0x20, at)
    const length = Number(bytes.toString('latin1', at, Math.max(at, blank)))
    const equals = bytes.indexOf(0x3d, blank)
    const end = at + length - 1
    if (!(length > 0) || blank < 0 || equals < 0 || equals > end || bytes[end] !== 0x0a) throw corrupt()
    yield [bytes.toString('latin1', blank + 1, equals), textOf(bytes.subarray(equals + 1, end))]
    at = end + 1
  }
}

function factsOf(header: TarHeader, number: number, extension: Extension): MemberFacts {
  const name = extension.get('path') ?? header.name
  const seconds = Number(extension.get('mtime') ?? Number.NaN)
  const hasHoles = [...extension.keys()].some(key => key.startsWith('GNU.sparse.'))
  const size = Number(extension.get('size') ?? header.size)
  if (!Number.isSafeInteger(size) || size < 0) throw corrupt()
  const isFolder = header.type === '5' || (name.endsWith('/') && header.type === '0')
  const kind = hasHoles ? 'special' : isFolder ? 'folder' : (KINDS[header.type] ?? 'special')
  return {
    number,
    name,
    kind,
    size,
    modified: Number.isFinite(seconds) ? Math.round(seconds * 1000) : header.modified,
    mode: header.mode,
    encrypted: false,
  }
}

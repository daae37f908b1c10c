import { byteLength, bytesOf } from '../../../shared/bytes.ts'
import { AppError } from '../../errors.ts'
import { ChunkBuffer } from './coalesce.ts'
import type { Member } from './entries.ts'

const BLOCK = 512
/** The end of the archive, and the padding of files. */
const ZEROS = Buffer.alloc(2 * BLOCK)
const NAME_FIELD = 100
/** Largest number in the eleven octal digits of a size or time. */
const MAX_OCTAL = 8 ** 11 - 1

/**
 * A tar archive in the POSIX 1003.1-2001 (pax) format, streamed. A chunk is valid until the next one is requested, and
 * members until the next group is.
 */
export async function* tar(groups: AsyncIterable<readonly Member[]>): AsyncGenerator<Uint8Array> {
  const block = Buffer.alloc(BLOCK)
  const few = new ChunkBuffer()
  for await (const members of groups) {
    for (const member of members) {
      const { content, size } = member
      for (const head of headsOf(block, member)) for (const out of few.add(head)) yield out
      if (content instanceof Uint8Array) for (const out of few.add(content)) yield out
      else {
        for (const out of few.rest()) yield out
        yield* exactly(size, content())
      }
      for (const out of few.add(ZEROS.subarray(0, (BLOCK - (size % BLOCK)) % BLOCK))) yield out
    }
    for (const out of few.rest()) yield out
  }
  yield ZEROS
}

/** All headers of a member, in memory that is reused for the next member. */
function headsOf(block: Buffer, member: Member): Buffer[] {
  const { name, kind, mode, size } = member
  const seconds = Math.floor(member.modified / 1000)
  const plain = header(block, name, { type: kind === 'folder' ? '5' : '0', mode, size, seconds })
  return [extendedHeader(member, seconds), longName(member), plain].filter(head => head !== undefined)
}

/** Passes content on and verifies its size, without which everything after it would be misplaced. */
export async function* exactly(size: number, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let sent = 0
  for await (const chunk of content) {
    sent += chunk.length
    if (sent > size) break
    yield chunk
  }
  if (sent !== size) throw new AppError('unavailable', 'a file changed its size while it was read')
}

interface HeaderFields {
  type: '0' | '5' | 'x' | 'L'
  mode: number
  size: number
  seconds: number
}

/** @param block is overwritten */
function header(block: Buffer, name: string, { type, mode, size, seconds }: HeaderFields): Buffer {
  block.fill(0)
  block.set(fitted(name), 0)
  writeOctal(block, 100, 8, mode)
  writeOctal(block, 108, 8, 0)
  writeOctal(block, 116, 8, 0)
  writeOctal(block, 124, 12, size > MAX_OCTAL ? 0 : size)
  writeOctal(block, 136, 12, Math.min(Math.max(seconds, 0), MAX_OCTAL))
  block.fill(' ', 148, 156)
  block.write(type, 156, 'latin1')
  block.write('ustar\u000000', 257, 'latin1')
  let sum = 0
  for (const byte of block) sum += byte
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

function writeOctal(block: Buffer, at: number, width: number, value: number): void {
  block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1')
}

/** As much of a name as fits into its field, without splitting a character; the slash that marks a folder is kept. */
function fitted(name: string): Uint8Array {
  if (byteLength(name) <= NAME_FIELD) return bytesOf(name)
  const end = name.endsWith('/') ? '/' : ''
  let cut = ''
  for (const char of name) {
    if (byteLength(cut + char + end) > NAME_FIELD) break
    cut += char
  }
  return bytesOf(cut.replace(/\/+$/, '') + end)
}

/** What the plain header cannot represent: long or non-ASCII names, sizes from 8 GiB, times before 1970. */
function extendedHeader(member: Member, seconds: number): Buffer | undefined {
  const records: string[] = []
  const { name } = member
  if (name.isWellFormed() && (byteLength(name) > NAME_FIELD || /[^\x20-\x7e]/.test(name))) {
    records.push(record('path', name))
  }
  if (member.size > MAX_OCTAL) records.push(record('size', String(member.size)))
  if (seconds < 0 || seconds > MAX_OCTAL) records.push(record('mtime', String(seconds)))
  if (records.length === 0) return undefined
  return described('PaxHeaders/entry', 'x', Buffer.from(records.join('')))
}

/** A long name that is not UTF-8: pax records contain text only, but all readers know this older kind of header. */
function longName({ name }: Member): Buffer | undefined {
  if (name.isWellFormed() || byteLength(name) <= NAME_FIELD) return undefined
  return described('././@LongLink', 'L', Buffer.concat([bytesOf(name), Buffer.alloc(1)]))
}

/** An extended header of the member after it. */
function described(name: string, type: 'x' | 'L', body: Buffer): Buffer {
  const padded = Buffer.alloc(Math.ceil(body.length / BLOCK) * BLOCK)
  body.copy(padded)
  return Buffer.concat([
    header(Buffer.alloc(BLOCK), name, { type, mode: 0o644, size: body.length, seconds: 0 }),
    padded,
  ])
}

/** `length key=value\n`, where the length includes its own digits. */
function record(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (rest + String(length).length !== length) length = rest + String(length).length
  return `${length} ${key}=${value}\n`
}

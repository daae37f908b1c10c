import { AppError } from '../../errors.ts'
import type { Member } from './members.ts'

const BLOCK = 512
const END = Buffer.alloc(2 * BLOCK)
const NAME_FIELD = 100
/** Largest number in the eleven octal digits of a size or time. */
const MAX_OCTAL = 8 ** 11 - 1

/** A tar archive in the POSIX 1003.1-2001 (pax) form, as it is made. */
export async function* tar(members: AsyncIterable<Member>): AsyncGenerator<Uint8Array> {
  for await (const member of members) {
    const seconds = Math.floor(member.modified / 1000)
    const extended = extendedHeader(member, seconds)
    if (extended) yield extended
    yield header(member.name, {
      type: member.kind === 'folder' ? '5' : '0',
      mode: member.mode,
      size: member.size,
      seconds,
    })
    yield* exactly(member.size, member.content())
    const padding = (BLOCK - (member.size % BLOCK)) % BLOCK
    if (padding > 0) yield Buffer.alloc(padding)
  }
  yield END
}

/** Passes content on and makes sure of its size, without which everything after it could not be found. */
export async function* exactly(size: number, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let sent = 0
  for await (const piece of content) {
    sent += piece.length
    if (sent > size) break
    yield piece
  }
  if (sent !== size) throw new AppError('unavailable', 'a file changed its size while it was read')
}

interface HeaderFields {
  type: '0' | '5' | 'x'
  mode: number
  size: number
  seconds: number
}

function header(name: string, { type, mode, size, seconds }: HeaderFields): Buffer {
  const block = Buffer.alloc(BLOCK)
  block.write(fitted(name), 0, NAME_FIELD, 'utf8')
  writeOctal(block, 100, 8, mode)
  writeOctal(block, 108, 8, 0)
  writeOctal(block, 116, 8, 0)
  writeOctal(block, 124, 12, size > MAX_OCTAL ? 0 : size)
  writeOctal(block, 136, 12, Math.min(Math.max(seconds, 0), MAX_OCTAL))
  block.fill(' ', 148, 156)
  block.write(type, 156, 'latin1')
  block.write('ustar\u000000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

function writeOctal(block: Buffer, at: number, width: number, value: number): void {
  block.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1')
}

/** What fits of a name into its field, without half a character; the slash that makes a folder is kept. */
function fitted(name: string): string {
  if (Buffer.byteLength(name) <= NAME_FIELD) return name
  const room = NAME_FIELD - (name.endsWith('/') ? 1 : 0)
  const cut = Buffer.from(name)
    .subarray(0, room)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
    .replace(/\/+$/, '')
  return name.endsWith('/') ? `${cut}/` : cut
}

/** What the plain header cannot say: long or foreign names, sizes from 8 GiB, times before 1970. */
function extendedHeader(member: Member, seconds: number): Buffer | undefined {
  const records: string[] = []
  if (Buffer.byteLength(member.name) > NAME_FIELD || /[^\x20-\x7e]/.test(member.name)) {
    records.push(record('path', member.name))
  }
  if (member.size > MAX_OCTAL) records.push(record('size', String(member.size)))
  if (seconds < 0 || seconds > MAX_OCTAL) records.push(record('mtime', String(seconds)))
  if (records.length === 0) return undefined
  const body = Buffer.from(records.join(''))
  const padded = Buffer.alloc(Math.ceil(body.length / BLOCK) * BLOCK)
  body.copy(padded)
  const named = header('PaxHeaders/entry', { type: 'x', mode: 0o644, size: body.length, seconds: 0 })
  return Buffer.concat([named, padded])
}

/** `length key=value\n`, where the length counts its own digits. */
function record(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + String(rest).length
  if (rest + String(length).length !== length) length = rest + String(length).length
  return `${length} ${key}=${value}\n`
}

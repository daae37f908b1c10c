import { bytesOf } from '../../../shared/bytes.ts'
import type { Member } from './entries.ts'

/** Larger values are in a ZIP64 field instead. */
const MAX_32 = 0xffffffff
const MAX_16 = 0xffff
const UTF8_NAMES = 0x0800
const CHECKSUM_FOLLOWS = 0x0008
const VERSION = 20
const VERSION_ZIP64 = 45
/** The entry's attributes are those of a Unix file. */
const MADE_ON_UNIX = 3 << 8
const REGULAR_FILE = 0o100000
const FOLDER = 0o040000
const DOS_FOLDER = 0x10
const EXTRA_ZIP64 = 0x0001
const EXTRA_TIME = 0x5455

const NOTHING = Buffer.alloc(0)

/** A name that is not UTF-8 is written unchanged; Unix readers keep the bytes of archives made on Unix. */
const flagsOf = ({ name, kind }: Member) =>
  (name.isWellFormed() ? UTF8_NAMES : 0) | (kind === 'file' ? CHECKSUM_FOLLOWS : 0)
const isLarge = ({ size }: Member) => size >= MAX_32

/** The local header before a member's content. Sizes are known, the checksum is not (APPNOTE 4.3.7). */
export function localHeader(member: Member): Buffer {
  const size = Math.min(member.size, MAX_32)
  const { record, name, extra } = recordOf(30, member, isLarge(member) ? [member.size, member.size] : [])
  record.writeUInt32LE(0x04034b50, 0)
  record.writeUInt16LE(isLarge(member) ? VERSION_ZIP64 : VERSION, 4)
  record.writeUInt16LE(flagsOf(member), 6)
  record.writeUInt16LE(0, 8)
  record.writeUInt32LE(dosTime(member.modified), 10)
  record.writeUInt32LE(0, 14)
  record.writeUInt32LE(size, 18)
  record.writeUInt32LE(size, 22)
  record.writeUInt16LE(name, 26)
  record.writeUInt16LE(extra, 28)
  return record
}

/** The data descriptor after a file's content; nothing for a folder (APPNOTE 4.3.9). */
export function descriptor(member: Member, crc: number): Buffer {
  if (member.kind === 'folder') return NOTHING
  const width = isLarge(member) ? 8 : 4
  const tail = Buffer.allocUnsafe(8 + 2 * width)
  tail.writeUInt32LE(0x08074b50, 0)
  tail.writeUInt32LE(crc, 4)
  for (const at of [8, 8 + width]) {
    if (width === 8) tail.writeBigUInt64LE(BigInt(member.size), at)
    else tail.writeUInt32LE(member.size, at)
  }
  return tail
}

/** The member's record in the central directory (APPNOTE 4.3.12). */
export function centralRecord(member: Member, crc: number, offset: number): Buffer {
  const sizes = isLarge(member) ? [member.size, member.size] : []
  const large = offset >= MAX_32 ? [...sizes, offset] : sizes
  const size = Math.min(member.size, MAX_32)
  const folder = member.kind === 'folder'
  const version = large.length > 0 ? VERSION_ZIP64 : VERSION
  const { record, name, extra } = recordOf(46, member, large)
  record.writeUInt32LE(0x02014b50, 0)
  record.writeUInt16LE(MADE_ON_UNIX | version, 4)
  record.writeUInt16LE(version, 6)
  record.writeUInt16LE(flagsOf(member), 8)
  record.writeUInt16LE(0, 10)
  record.writeUInt32LE(dosTime(member.modified), 12)
  record.writeUInt32LE(crc, 16)
  record.writeUInt32LE(size, 20)
  record.writeUInt32LE(size, 24)
  record.writeUInt16LE(name, 28)
  record.writeUInt16LE(extra, 30)
  record.fill(0, 32, 38)
  record.writeUInt16LE(folder ? DOS_FOLDER : 0, 38)
  record.writeUInt16LE((folder ? FOLDER : REGULAR_FILE) | member.mode, 40)
  record.writeUInt32LE(Math.min(offset, MAX_32), 42)
  return record
}

/**
 * A record with its name and extra fields, and the size of these in bytes.
 * @param head bytes before the name, still to be written
 * @param large values that go into a ZIP64 field
 */
function recordOf(head: number, member: Member, large: readonly number[]) {
  const name = bytesOf(member.name)
  const fields = [...(large.length > 0 ? [zip64(large)] : []), timeField(member)]
  const extra = fields.reduce((sum, field) => sum + field.length, 0)
  const record = Buffer.allocUnsafe(head + name.length + extra)
  record.set(name, head)
  let at = head + name.length
  for (const field of fields) {
    record.set(field, at)
    at += field.length
  }
  return { record, name: name.length, extra }
}

/** The end of the archive: offset and size of the directory (APPNOTE 4.3.14 to 4.3.16). */
export function endRecords(count: number, length: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, MAX_16), 8)
  end.writeUInt16LE(Math.min(count, MAX_16), 10)
  end.writeUInt32LE(Math.min(length, MAX_32), 12)
  end.writeUInt32LE(Math.min(offset, MAX_32), 16)
  const fits = count < MAX_16 && length < MAX_32 && offset < MAX_32
  return fits ? end : Buffer.concat([zip64End(count, length, offset), end])
}

function zip64End(count: number, length: number, offset: number): Buffer {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 12)
  record.writeUInt16LE(VERSION_ZIP64, 14)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(length), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + length), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}

function zip64(values: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * values.length)
  field.writeUInt16LE(EXTRA_ZIP64, 0)
  field.writeUInt16LE(8 * values.length, 2)
  for (const [index, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + 8 * index)
  return field
}

/** The modification time in seconds since the epoch; DOS times have a resolution of two seconds and no time zone. */
function timeField({ modified }: Member): Buffer {
  const seconds = Math.floor(modified / 1000)
  if (seconds < -(2 ** 31) || seconds >= 2 ** 31) return NOTHING
  const field = Buffer.allocUnsafe(9)
  field.writeUInt16LE(EXTRA_TIME, 0)
  field.writeUInt16LE(5, 2)
  field.writeUInt8(1, 4)
  field.writeInt32LE(seconds, 5)
  return field
}

/** Date and time in DOS format, time in the lower half; from 1980 to 2107. */
function dosTime(modified: number): number {
  const date = new Date(Math.min(Math.max(modified, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31)))
  const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate()
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}

import { textOf } from '../../../shared/bytes.ts'
import { corrupt } from '../source.ts'
import { legacyName } from './cp437.ts'
import type { MemberFacts } from './members.ts'

const RECORD = 0x02014b50
const RECORD_LENGTH = 46
const ELSEWHERE_32 = 0xffffffff
const FLAG = { encrypted: 0x0001, utf8: 0x0800 } as const
const EXTRA = { zip64: 0x0001, time: 0x5455, ntfs: 0x000a, unicodeName: 0x7075, aes: 0x9901 } as const
/** Systems whose archives have Unix modes. */
const UNIX: readonly number[] = [3, 19]
const FILE_KIND = 0o170000
const KINDS: ReadonlyMap<number, MemberFacts['kind']> = new Map([
  [0, 'file'],
  [0o040000, 'folder'],
  [0o100000, 'file'],
  [0o120000, 'link'],
])
const DOS_FOLDER = 0x10
/** Milliseconds between 1601 and 1970. */
const NTFS_EPOCH = 11_644_473_600_000

/** A record of a zip's central directory. */
export interface ZipRecord extends MemberFacts {
  method: number
  crc: number
  /** Compressed size in bytes. */
  packed: number
  /** Offset of its local header in the file. */
  offset: number
  /** Minimum number of bytes that it occupies from there. */
  extent: number
}

/**
 * Reads the next record (APPNOTE 4.3.12).
 * @param next reads further bytes
 * @param shift added to its offset
 * @throws undecodable
 */
export async function readRecord(
  number: number,
  next: (length: number) => Promise<Buffer>,
  shift: number,
): Promise<ZipRecord> {
  const head = Buffer.from(await next(RECORD_LENGTH))
  if (head.readUInt32LE(0) !== RECORD) throw corrupt()
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map(at => head.readUInt16LE(at)) as [
    number,
    number,
    number,
  ]
  const rest = await next(nameLength + extraLength + commentLength)
  const extras = extrasOf(rest.subarray(nameLength, nameLength + extraLength))
  const flags = head.readUInt16LE(8)
  const name = nameOf(rest.subarray(0, nameLength), flags, extras.get(EXTRA.unicodeName))
  const sizes = sizesOf(head, extras.get(EXTRA.zip64))
  const onUnix = UNIX.includes(head.readUInt8(5))
  return {
    number,
    ...sizes,
    ...kindAndMode(head, onUnix, name),
    name: onUnix || name.includes('/') ? name : name.replaceAll('\\', '/'),
    modified: timeOf(head, extras),
    encrypted: (flags & FLAG.encrypted) !== 0 || extras.has(EXTRA.aes),
    method: head.readUInt16LE(10),
    crc: head.readUInt32LE(16),
    offset: sizes.offset + shift,
    extent: 30 + nameLength + sizes.packed,
  }
}

function nameOf(bytes: Buffer, flags: number, unicode: Buffer | undefined): string {
  if (flags & FLAG.utf8) return textOf(bytes)
  // Preceded by a version and the checksum of the plain name (Info-ZIP).
  if (unicode && unicode.length > 5 && unicode[0] === 1) return textOf(unicode.subarray(5))
  return legacyName(bytes)
}

/** The extra fields by id; the last of several with the same id. A truncated one ends them. */
function extrasOf(bytes: Buffer): ReadonlyMap<number, Buffer> {
  const extras = new Map<number, Buffer>()
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt16LE(at + 2)
    if (end > bytes.length) break
    extras.set(bytes.readUInt16LE(at), bytes.subarray(at + 4, end))
    at = end
  }
  return extras
}

/** Sizes and offset; values beyond 32 bits are in the ZIP64 field, in this order. @throws undecodable */
function sizesOf(head: Buffer, zip64: Buffer | undefined): Pick<ZipRecord, 'size' | 'packed' | 'offset'> {
  let at = 0
  const large = (field: number): number => {
    const small = head.readUInt32LE(field)
    if (small !== ELSEWHERE_32) return small
    if (!zip64 || at + 8 > zip64.length) return small
    const value = Number(zip64.readBigUInt64LE(at))
    at += 8
    if (!Number.isSafeInteger(value)) throw corrupt()
    return value
  }
  const size = large(24)
  const packed = large(20)
  return { size, packed, offset: large(42) }
}

function kindAndMode(head: Buffer, onUnix: boolean, name: string): Pick<MemberFacts, 'kind' | 'mode'> {
  const attributes = head.readUInt32LE(38)
  const unix = onUnix ? attributes >>> 16 : 0
  if (name.endsWith('/') || (attributes & DOS_FOLDER && !onUnix)) {
    return { kind: 'folder', mode: unix === 0 ? undefined : unix & 0o777 }
  }
  return { kind: KINDS.get(unix & FILE_KIND) ?? 'special', mode: unix === 0 ? undefined : unix & 0o777 }
}

function timeOf(head: Buffer, extras: ReadonlyMap<number, Buffer>): number | undefined {
  const time = extras.get(EXTRA.time)
  if (time && time.length >= 5 && (time[0] ?? 0) & 1) return time.readInt32LE(1) * 1000
  const ntfs = extras.get(EXTRA.ntfs)
  // Four reserved bytes, then attribute 1 with 24 bytes of times, the first that of the last change.
  if (ntfs && ntfs.length >= 16 && ntfs.readUInt16LE(4) === 1) {
    return Number(ntfs.readBigUInt64LE(8) / 10_000n) - NTFS_EPOCH
  }
  return dosTime(head.readUInt16LE(14), head.readUInt16LE(12))
}

/** A DOS time has no time zone: it is taken for UTC, as in our own archives. */
function dosTime(day: number, time: number): number | undefined {
  const [year, month, date] = [1980 + (day >> 9), ((day >> 5) & 15) - 1, day & 31]
  if (month < 0 || date === 0) return undefined
  return Date.UTC(year, month, date, time >> 11, (time >> 5) & 63, (time & 31) * 2)
}

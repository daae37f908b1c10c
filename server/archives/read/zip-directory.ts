import { AppError } from '../../errors.ts'
import { ChunkReader, demandBytes } from '../byte-reader.ts'
import { type ByteSource, corrupt } from '../source.ts'
import { readRecord, type ZipRecord } from './zip-record.ts'

const END = 0x06054b50
const END_LENGTH = 22
const LOCATOR = 0x07064b50
const LOCATOR_LENGTH = 20
const END_64 = 0x06064b50
const END_64_LENGTH = 56
const MAX_COMMENT = 0xffff
/** Markers for values that are in the ZIP64 record. */
const ELSEWHERE_16 = 0xffff
const ELSEWHERE_32 = 0xffffffff

/** The location of a zip's central directory. */
export interface ZipDirectory {
  start: number
  length: number
  count: number
  /** Bytes before the archive, such as a self-extraction program; offsets are relative to their end. */
  shift: number
}

/**
 * Finds the central directory by the records at the end (APPNOTE 4.3.14 to 4.3.16). @throws undecodable, unsupported
 * for a split archive
 */
export async function findDirectory(source: ByteSource): Promise<ZipDirectory> {
  const tailLength = Math.min(source.size, END_LENGTH + MAX_COMMENT + LOCATOR_LENGTH)
  const tailStart = source.size - tailLength
  const tail = await source.read(tailStart, tailLength)
  const at = findEnd(tail)
  const end = tail.subarray(at)
  if (end.readUInt16LE(4) !== 0 && end.readUInt16LE(4) !== ELSEWHERE_16) throw splitArchive()
  const count = end.readUInt16LE(10)
  const length = end.readUInt32LE(12)
  const offset = end.readUInt32LE(16)
  const large = count === ELSEWHERE_16 || length === ELSEWHERE_32 || offset === ELSEWHERE_32
  const locator = large && at >= LOCATOR_LENGTH ? tail.subarray(at - LOCATOR_LENGTH, at) : undefined
  if (locator?.readUInt32LE(0) === LOCATOR) return findLarge(source, locator, tailStart + at - LOCATOR_LENGTH)
  return checked({ start: tailStart + at - length, length, count, shift: tailStart + at - length - offset })
}

/** The last record whose comment extends to the end of the file. */
function findEnd(tail: Buffer): number {
  for (let at = tail.length - END_LENGTH; at >= 0; at--) {
    if (tail.readUInt32LE(at) === END && at + END_LENGTH + tail.readUInt16LE(at + 20) === tail.length) return at
  }
  throw corrupt()
}

async function findLarge(source: ByteSource, locator: Buffer, locatorAt: number): Promise<ZipDirectory> {
  const declared = Number(locator.readBigUInt64LE(8))
  for (const at of [declared, locatorAt - END_64_LENGTH]) {
    if (at < 0 || at + END_64_LENGTH > locatorAt) continue
    const record = await source.read(at, END_64_LENGTH)
    if (record.readUInt32LE(0) !== END_64) continue
    if (record.readUInt32LE(16) !== 0) throw splitArchive()
    const [count, length, offset] = [32, 40, 48].map(field => Number(record.readBigUInt64LE(field))) as [
      number,
      number,
      number,
    ]
    return checked({ start: at - length, length, count, shift: at - length - offset })
  }
  throw corrupt()
}

function checked(directory: ZipDirectory): ZipDirectory {
  if (directory.start < 0 || directory.shift < 0 || !Number.isSafeInteger(directory.length)) throw corrupt()
  return directory
}

const splitArchive = () => new AppError('unsupported', 'a split archive')

/** The records of the central directory in order. @throws undecodable */
export async function* recordsOf(source: ByteSource, directory: ZipDirectory): AsyncGenerator<ZipRecord> {
  const reader = new ChunkReader(source.stream(directory.start, directory.length))
  try {
    for (let number = 0; reader.at < directory.length; number++) {
      const record = await readRecord(number, length => demandBytes(reader, length), directory.shift)
      if (record.offset >= directory.start) throw corrupt()
      yield record
    }
  } finally {
    await reader.close()
  }
}

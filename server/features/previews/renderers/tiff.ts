import type { Source } from './source.ts'

/** The tags that are read, by their number (TIFF 6.0, section 8; DNG 1.7; vendors' own). */
export const TAG = {
  compression: 0x0103,
  strips: 0x0111,
  orientation: 0x0112,
  stripLengths: 0x0117,
  subDirectories: 0x014a,
  jpeg: 0x0201,
  jpegLength: 0x0202,
  /** A whole JPEG as the value of a tag (Panasonic). */
  jpegOfRaw: 0x002e,
} as const
type Tag = (typeof TAG)[keyof typeof TAG]

/** The most directories of one file, entries of a directory and numbers of an entry that are read. */
const MAX_DIRECTORIES = 32
const MAX_ENTRIES = 512
const MAX_NUMBERS = 16
const ENTRY = 12
/** Bytes of a number by its type: bytes, short, long, undefined, a directory. */
const WIDTHS: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4, 7: 1, 13: 4 }

/** The value of a tag: its range in bytes, and its numbers. */
interface Value {
  start: number
  length: number
  numbers: readonly number[]
}
/** A directory of a TIFF file, with the tags that are read. */
export type Directory = ReadonlyMap<Tag, Value>

/**
 * The directories of a TIFF file, or of a raw format with the same structure. Cycles and endless lists are cut off.
 * @throws RangeError or Error for any other file
 */
export async function readDirectories(source: Source): Promise<Directory[]> {
  const head = await source.read(0, 8)
  const order = head.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') throw new Error('not a TIFF file')
  const number = order === 'II' ? littleEndian : bigEndian
  const pending = [number(head, 4, 4)]
  const found = new Map<number, Directory>()
  for (const start of pending) {
    if (start === 0 || found.has(start) || found.size === MAX_DIRECTORIES) continue
    const { directory, next } = await readDirectory(source, start, number)
    found.set(start, directory)
    pending.push(...(directory.get(TAG.subDirectories)?.numbers ?? []), next)
  }
  return [...found.values()]
}

async function readDirectory(source: Source, start: number, number: ReadNumber) {
  const count = number(await source.read(start, 2), 0, 2)
  if (count > MAX_ENTRIES) throw new Error('no directory')
  const bytes = await source.read(start + 2, count * ENTRY + 4)
  const directory = new Map<Tag, Value>()
  for (let at = 0; at < count * ENTRY; at += ENTRY) {
    const tag = Object.values(TAG).find(known => known === number(bytes, at, 2))
    const width = WIDTHS[number(bytes, at + 2, 2)]
    if (tag === undefined || width === undefined) continue
    const length = number(bytes, at + 4, 4) * width
    const isInline = length <= 4
    const place = isInline ? start + 2 + at + 8 : number(bytes, at + 8, 4)
    const held = Math.min(length, MAX_NUMBERS * width)
    const value = isInline ? bytes.subarray(at + 8, at + 8 + held) : await source.read(place, width > 1 ? held : 0)
    const numbers = Array.from({ length: Math.floor(value.length / width) }, (_, n) => number(value, n * width, width))
    directory.set(tag, { start: place, length, numbers })
  }
  const isLast = bytes.length < count * ENTRY + 4
  return { directory, next: isLast ? 0 : number(bytes, count * ENTRY, 4) }
}

/** @throws RangeError beyond the end */
type ReadNumber = (bytes: Buffer, at: number, width: number) => number
const littleEndian: ReadNumber = (bytes, at, width) => bytes.readUIntLE(at, width)
const bigEndian: ReadNumber = (bytes, at, width) => bytes.readUIntBE(at, width)

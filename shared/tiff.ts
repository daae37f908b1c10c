import { textOf } from './bytes.ts'

/** A file whose bytes are read by ranges. */
export interface TiffSource {
  /** Bytes from an offset; fewer at the end of the file. */
  read(start: number, length: number): Promise<Uint8Array<ArrayBufferLike>>
}

/** The value of a tag: its range in bytes, and its numbers or text. */
export interface TiffValue {
  start: number
  length: number
  numbers: readonly number[]
  text: string
}

/** A directory of a TIFF file: the values of the tags that are read. */
export type TiffDirectory = ReadonlyMap<number, TiffValue>

/** Tags whose numbers are the offsets of further directories: sub-directories, and Exif. */
const POINTERS: readonly number[] = [0x014a, 0x8769]

/** The most directories of one file, entries of a directory, numbers of an entry and bytes of a text that are read. */
const MAX_DIRECTORIES = 32
const MAX_ENTRIES = 512
const MAX_NUMBERS = 16
const MAX_TEXT = 256
const ENTRY = 12

const TEXT = 2
const RATIONAL = 5
/** Bytes of a number by its type: bytes, text, short, long, rational, undefined, a directory. */
const WIDTHS: Readonly<Record<number, number>> = { 1: 1, [TEXT]: 1, 3: 2, 4: 4, [RATIONAL]: 8, 7: 1, 13: 4 }

/**
 * The directories of a TIFF file, or of a format with the same structure: Exif, and many raw formats (TIFF 6.0,
 * sections 2 and 8). Cycles, endless lists and truncated further directories are left out. Bytes and undefined values longer than an entry are not read.
 * @param tags the tags to read
 * @throws RangeError when the first directory is truncated, Error for any other file
 */
export async function readDirectories(source: TiffSource, tags: readonly number[]): Promise<TiffDirectory[]> {
  const { isLittle, first } = await readHead(source)
  const pending = [first]
  const found = new Map<number, TiffDirectory>()
  for (const start of pending) {
    if (start === 0 || found.has(start) || found.size === MAX_DIRECTORIES) continue
    const read = await readDirectory(source, start, tags, isLittle).catch((thrown: unknown) => {
      if (thrown instanceof RangeError && found.size > 0) return undefined
      throw thrown
    })
    if (!read) continue
    const { directory, next } = read
    found.set(start, directory)
    pending.push(...POINTERS.flatMap(tag => directory.get(tag)?.numbers ?? []), next)
  }
  return [...found.values()]
}

/** The directory at an offset, whose tags have another meaning than those of the others. @throws RangeError, Error */
export async function readDirectoryAt(
  source: TiffSource,
  start: number,
  tags: readonly number[],
): Promise<TiffDirectory> {
  const { isLittle } = await readHead(source)
  return (await readDirectory(source, start, tags, isLittle)).directory
}

async function readHead(source: TiffSource): Promise<{ isLittle: boolean; first: number }> {
  const head = viewOf(await source.read(0, 8))
  const order = head.getUint16(0)
  if (order !== 0x4949 && order !== 0x4d4d) throw new Error('not a TIFF file')
  const isLittle = order === 0x4949
  return { isLittle, first: head.getUint32(4, isLittle) }
}

async function readDirectory(source: TiffSource, start: number, tags: readonly number[], isLittle: boolean) {
  const count = viewOf(await source.read(start, 2)).getUint16(0, isLittle)
  if (count > MAX_ENTRIES) throw new RangeError('no directory')
  const view = viewOf(await source.read(start + 2, count * ENTRY + 4))
  const directory = new Map<number, TiffValue>()
  for (let at = 0; at < count * ENTRY; at += ENTRY) {
    const tag = view.getUint16(at, isLittle)
    const type = view.getUint16(at + 2, isLittle)
    const width = WIDTHS[type]
    if (width === undefined || !tags.includes(tag)) continue
    const length = view.getUint32(at + 4, isLittle) * width
    const isInline = length <= 4
    const place = isInline ? start + 2 + at + 8 : view.getUint32(at + 8, isLittle)
    const isRead = isInline || width > 1 || type === TEXT
    const held = isRead ? Math.min(length, type === TEXT ? MAX_TEXT : MAX_NUMBERS * width) : 0
    const value = isInline
      ? new DataView(view.buffer, view.byteOffset + at + 8, held)
      : viewOf(await source.read(place, held))
    directory.set(tag, { start: place, length, ...contentOf(value, type, width, isLittle) })
  }
  const isLast = view.byteLength < count * ENTRY + 4
  return { directory, next: isLast ? 0 : view.getUint32(count * ENTRY, isLittle) }
}

function contentOf(value: DataView, type: number, width: number, isLittle: boolean) {
  if (type === TEXT) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    // A zero byte ends it.
    return { numbers: [], text: (textOf(bytes).split('\0')[0] ?? '').trim() }
  }
  const count = Math.floor(value.byteLength / width)
  return {
    numbers: Array.from({ length: count }, (_, index) => numberAt(value, index * width, width, isLittle)),
    text: '',
  }
}

function numberAt(value: DataView, at: number, width: number, isLittle: boolean): number {
  if (width === 1) return value.getUint8(at)
  if (width === 2) return value.getUint16(at, isLittle)
  const number = value.getUint32(at, isLittle)
  return width === 8 ? number / value.getUint32(at + 4, isLittle) : number
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)

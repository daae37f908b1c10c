import type { Sharp } from 'sharp'
import { THUMB_SIDE } from '../../../../shared/limits.ts'
import { readDirectories, type TiffDirectory } from '../../../../shared/tiff.ts'
import { boxAt, boxesIn } from './boxes.ts'
import { decode } from './decoder.ts'
import { type Jpeg, jpegAt, withOrientation } from './jpeg.ts'
import { longestSide, type RenderOptions } from './renderer.ts'
import type { Source } from './source.ts'

/** The embedded image of a raw file, and its orientation (Exif 2.32, section 4.6.4). */
interface Found {
  jpegs: (Jpeg | undefined)[]
  orientation: number
}

/** The tags that are read (TIFF 6.0, section 8; DNG 1.7; vendors' own). */
const TAG = {
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

/** Compressions of a directory's strips that are JPEG (TIFF 6.0 section 22; technical note 2). */
const JPEG_COMPRESSIONS = [6, 7]
/** The UUID of Canon's preview box. */
const PREVIEW_BOX = 'eaf42b5e1c984b88b9fbb7dc406e4d16'
/** Bytes at the start of a file that are searched for images without a reference. */
const SEARCHED = 4 * 1024 * 1024
/** The most images of that search that are checked. */
const MAX_HITS = 16

/**
 * Raw files of cameras (CR2, CR3, NEF, DNG, ARW, RAF and others) by their embedded JPEG. The sensor data is not
 * developed.
 */
export async function open(source: Source, options: RenderOptions): Promise<Sharp> {
  const { jpegs, orientation } = await find(source)
  const jpeg = choose(
    jpegs.filter(found => found !== undefined),
    options,
  )
  if (!jpeg) throw new Error('no embedded image')
  const bytes = await source.read(jpeg.start, jpeg.length)
  const { orientation: own } = await decode(bytes).metadata()
  return decode(own === undefined && orientation > 1 ? withOrientation(bytes, orientation) : bytes)
}

async function find(source: Source): Promise<Found> {
  const head = await source.read(0, 16)
  if (head.toString('latin1', 0, 15) === 'FUJIFILMCCD-RAW') return findInFuji(source)
  if (head.toString('latin1', 4, 12) === 'ftypcrx ') return findInCanon(source)
  const directories = await readTiff(source)
  const pointed = await findInTiff(source, directories)
  const jpegs = pointed.some(Boolean) ? pointed : await search(source)
  return { jpegs, orientation: orientationOf(directories) }
}

/** The smallest that is large enough; else the largest there is. */
function choose(jpegs: readonly Jpeg[], { size, maxPixels }: RenderOptions): Jpeg | undefined {
  const bySize = jpegs.toSorted((a, b) => a.width * a.height - b.width * b.height)
  const isEnough = ({ width, height }: Jpeg) =>
    size === 'thumb' ? Math.min(width, height) >= THUMB_SIDE : Math.max(width, height) >= longestSide(size)
  const decodable = bySize.filter(({ width, height }) => width * height <= maxPixels)
  return decodable.find(isEnough) ?? decodable.at(-1) ?? bySize[0]
}

/** Formats with a signature of their own have the same structure. */
export async function readTiff(source: Source): Promise<TiffDirectory[]> {
  return readDirectories(source, Object.values(TAG)).catch((thrown: unknown) => {
    if (thrown instanceof RangeError) return []
    throw thrown
  })
}

const orientationOf = ([first]: readonly TiffDirectory[]): number => first?.get(TAG.orientation)?.numbers[0] ?? 1

function findInTiff(source: Source, directories: readonly TiffDirectory[]): Promise<(Jpeg | undefined)[]> {
  const places = directories.flatMap(directory => {
    const number = (tag: (typeof TAG)[keyof typeof TAG]) => directory.get(tag)?.numbers ?? []
    const [jpeg, jpegLength] = [number(TAG.jpeg)[0], number(TAG.jpegLength)[0]]
    const [strips, lengths] = [number(TAG.strips), number(TAG.stripLengths)]
    const whole = directory.get(TAG.jpegOfRaw)
    const isJpeg = JPEG_COMPRESSIONS.includes(number(TAG.compression)[0] ?? 0) && strips.length === 1
    return [[jpeg, jpegLength], isJpeg ? [strips[0], lengths[0]] : [], [whole?.start, whole?.length]]
  })
  return each(places, ([start, length]) => (start && length ? jpegAt(source, start, length) : undefined))
}

/** The header of a RAF file has the offset of its JPEG. */
async function findInFuji(source: Source): Promise<Found> {
  const place = await source.read(84, 8)
  return { jpegs: [await jpegAt(source, place.readUInt32BE(0), place.readUInt32BE(4))], orientation: 1 }
}

async function findInCanon(source: Source): Promise<Found> {
  const all = { start: 0, end: source.length }
  const boxes = (await boxesIn(source, all)).filter(({ type }) => type === 'uuid')
  const jpegs = await each(boxes, async ({ start, end }) => {
    const head = await source.read(start, 64)
    const at = head.indexOf('ffd8ff', 16, 'hex')
    const isPreview = head.toString('hex', 0, 16) === PREVIEW_BOX && at > 0
    return isPreview ? jpegAt(source, start + at, end - start - at) : undefined
  })
  return { jpegs, orientation: await canonOrientation(source) }
}

/** Of the TIFF file in Canon's own box. */
async function canonOrientation(source: Source): Promise<number> {
  const own = await boxAt(source, ['moov', 'uuid'])
  const inside = own ? await boxesIn(source, { start: own.start + 16, end: own.end }) : []
  const notes = inside.find(({ type }) => type === 'CMT1')
  if (!notes) return 1
  const length = notes.end - notes.start
  const part: Source = {
    length,
    read: (start, wanted) => source.read(notes.start + start, Math.max(0, Math.min(wanted, length - start))),
  }
  return orientationOf(await readTiff(part))
}

/** Images found by their signature only; each ends where the next begins. */
async function search(source: Source): Promise<(Jpeg | undefined)[]> {
  const bytes = await source.read(0, SEARCHED)
  const starts: number[] = []
  for (let at = bytes.indexOf('ffd8ff', 1, 'hex'); at > 0 && starts.length < MAX_HITS; ) {
    starts.push(at)
    at = bytes.indexOf('ffd8ff', at + 3, 'hex')
  }
  return each(starts, (start, index) => jpegAt(source, start, (starts[index + 1] ?? bytes.length) - start))
}

async function each<T>(
  items: readonly T[],
  look: (item: T, index: number) => Promise<Jpeg | undefined> | undefined,
): Promise<(Jpeg | undefined)[]> {
  const found: (Jpeg | undefined)[] = []
  for (const [index, item] of items.entries()) found.push(await look(item, index))
  return found
}

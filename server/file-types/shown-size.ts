import { orientationOf } from '../../shared/exif.ts'
import { RESOLUTION_BYTES, type Resolution, resolutionOf } from './image-size.ts'

/** Leading bytes that have the size of most images. */
const FIRST_BYTES = 64 * 1024
/** From here on, orientations of Exif turn an image by a quarter. */
const QUARTER_TURNED = 5

/**
 * The size of an image in pixels as viewers show it: turned as its metadata say. Of the formats of `resolutionOf`, HEIF
 * and AVIF; `undefined` for others.
 * @param head reads the given number of bytes from the beginning, or fewer of a shorter file
 */
export async function shownSizeOf(head: (bytes: number) => Promise<Uint8Array>): Promise<Resolution | undefined> {
  const first = await head(FIRST_BYTES)
  const size = resolutionOf(first) ?? heifSize(first)
  const isCut = !size && isJpeg(first) && first.length === FIRST_BYTES
  const stored = size ?? (isCut ? resolutionOf(await head(RESOLUTION_BYTES)) : undefined)
  if (!stored || !isJpeg(first)) return stored
  return (await orientationOf(new Uint8Array(first).buffer)) < QUARTER_TURNED ? stored : turned(stored)
}

const isJpeg = (head: Uint8Array) => head[0] === 0xff && head[1] === 0xd8

const turned = ({ width, height }: Resolution): Resolution => ({ width: height, height: width })

/**
 * ISO/IEC 23008-12, 6.5.3 and 6.5.10: an image has a property with its size, and so have its tiles and thumbnails; the
 * largest is the image. A rotation applies to all of them.
 */
function heifSize(head: Uint8Array): Resolution | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.length)
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return undefined
  let largest: Resolution = { width: 0, height: 0 }
  for (let at = bytes.indexOf('ispe'); at >= 0 && at + 16 <= bytes.length; at = bytes.indexOf('ispe', at + 4)) {
    const size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    if (size.width * size.height > largest.width * largest.height) largest = size
  }
  if (largest.width === 0) return undefined
  const rotation = bytes.indexOf('irot')
  return rotation >= 0 && ((bytes[rotation + 4] ?? 0) & 1) === 1 ? turned(largest) : largest
}

import type { Size } from './decoder.ts'
import type { Source } from './source.ts'

/** A JPEG embedded in a file. */
export interface Jpeg extends Size {
  start: number
  length: number
}

/** The most segments before the image that are skipped. */
const MAX_SEGMENTS = 64
/** Frames that every decoder supports: baseline, extended and progressive. Lossless ones hold sensor data. */
const FRAMES = [0xc0, 0xc1, 0xc2]
const OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]

/** The JPEG at an offset (ITU-T T.81, annex B); `undefined` when there is none that can be shown. */
export async function jpegAt(source: Source, start: number, length: number): Promise<Jpeg | undefined> {
  const signature = await source.read(start, 2)
  if (signature.toString('hex') !== 'ffd8' || start + length > source.length) return undefined
  for (let [at, segments] = [start + 2, 0]; segments < MAX_SEGMENTS; segments++) {
    const head = await source.read(at, 9)
    const [lead, marker = 0] = head
    if (head.length < 9 || lead !== 0xff || OTHER_FRAMES.includes(marker)) return undefined
    if (FRAMES.includes(marker)) return { start, length, height: head.readUInt16BE(5), width: head.readUInt16BE(7) }
    at += 2 + head.readUInt16BE(2)
  }
  return undefined
}

/** A JPEG with an orientation tag (Exif 2.32, section 4.6.4). */
export function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const segment = Buffer.from(
    'ffe10022457869660000' + '4d4d002a00000008' + '0001' + '011200030000000100000000' + '00000000',
    'hex',
  )
  segment.writeUInt16BE(orientation, 28)
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

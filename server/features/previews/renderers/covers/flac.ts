import type { Source } from '../source.ts'

/** Blocks of a file that are looked at, and the kind that holds a picture (RFC 9639, section 8). */
const MAX_BLOCKS = 128
const PICTURE = 6

/** The picture of a FLAC file. @throws RangeError for one that is cut off */
export async function readFlacCover(source: Source): Promise<Buffer | undefined> {
  for (let [at, blocks, isLast] = [4, 0, false]; !isLast && blocks < MAX_BLOCKS; blocks++) {
    const head = await source.read(at, 4)
    const kind = head.readUInt8(0)
    const length = head.readUIntBE(1, 3)
    if ((kind & 0x7f) === PICTURE) return pictureOf(await source.read(at + 4, length))
    isLast = kind >= 0x80
    at += 4 + length
  }
  return undefined
}

/** The bytes of the picture in a block: behind its kind, type, description and size (RFC 9639, section 8.8). */
export function pictureOf(block: Buffer): Buffer {
  const type = block.readUInt32BE(4)
  const description = block.readUInt32BE(8 + type)
  const at = 12 + type + description + 16
  return block.subarray(at + 4, at + 4 + block.readUInt32BE(at))
}

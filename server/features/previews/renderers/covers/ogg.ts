import type { Source } from '../source.ts'
import { pictureOf } from './flac.ts'

/** Bytes at the start of a file that comments are looked for in; most of them are a picture. */
const SEARCHED = 8 * 1024 * 1024
const PAGE_HEADER = 27
/** What the packet of comments begins with, by codec. */
const COMMENTS = ['OpusTags', '\x03vorbis']
const PICTURE = 'METADATA_BLOCK_PICTURE='

/** The picture in the comments of an Ogg file, which is the block of a FLAC file in base64. */
export async function readOggCover(source: Source): Promise<Buffer | undefined> {
  const [, comments] = packetsOf(await source.read(0, SEARCHED))
  const mark = COMMENTS.find(known => comments?.toString('latin1', 0, known.length) === known)
  if (!comments || mark === undefined) return undefined
  const vendor = comments.readUInt32LE(mark.length)
  let at = mark.length + 4 + vendor
  const count = comments.readUInt32LE(at)
  at += 4
  for (let index = 0; index < count && at + 4 <= comments.length; index++) {
    const length = comments.readUInt32LE(at)
    const name = comments.toString('latin1', at + 4, at + 4 + PICTURE.length).toUpperCase()
    if (name === PICTURE) {
      return pictureOf(Buffer.from(comments.toString('latin1', at + 4 + PICTURE.length, at + 4 + length), 'base64'))
    }
    at += 4 + length
  }
  return undefined
}

/** The first two packets, put together of the segments of their pages (RFC 3533, section 6). */
function packetsOf(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = []
  let pieces: Buffer[] = []
  for (let at = 0; at + PAGE_HEADER < bytes.length && packets.length < 2; ) {
    if (bytes.toString('latin1', at, at + 4) !== 'OggS') break
    const segments = bytes.subarray(at + PAGE_HEADER, at + PAGE_HEADER + bytes.readUInt8(at + 26))
    at += PAGE_HEADER + segments.length
    for (const length of segments) {
      pieces.push(bytes.subarray(at, at + length))
      at += length
      if (length === 255) continue
      packets.push(Buffer.concat(pieces))
      pieces = []
    }
  }
  return packets
}

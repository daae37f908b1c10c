import type { Source } from '../source.ts'

/** Bytes of a tag, and frames in it, that are looked at. */
const MAX_TAG = 32 * 1024 * 1024
const MAX_FRAMES = 1000
const HEADER = 10
/** Flags of a tag: every FF is followed by a 00 that does not count; there is another header. */
const UNSYNCHRONISED = 0x80
const EXTENDED = 0x40
/** The kind of picture that is the front of a cover (ID3v2.4 frames, section 4.14). */
const FRONT = 3

/** The picture of an ID3v2 tag of any of its three versions: the front of the cover, else the first. */
export async function readId3Cover(source: Source): Promise<Buffer | undefined> {
  const head = await source.read(0, HEADER)
  const [version, flags] = [head.readUInt8(3), head.readUInt8(5)]
  const size = sevenBits(head, 6)
  if (size > MAX_TAG) throw new Error('a tag of no use')
  const stored = await source.read(HEADER, size)
  const tag = flags & UNSYNCHRONISED ? resynchronised(stored) : stored
  const pictures = [...framesOf(tag, version, flags)].flatMap(frame => pictureIn(frame, version) ?? [])
  return (pictures.find(({ kind }) => kind === FRONT) ?? pictures[0])?.bytes
}

/** The contents of the frames that hold pictures. */
function* framesOf(tag: Buffer, version: number, flags: number): Iterable<Buffer> {
  const isOld = version === 2
  const header = isOld ? 6 : HEADER
  const name = isOld ? 'PIC' : 'APIC'
  const sizeAt = (at: number) => (version === 4 ? sevenBits(tag, at) : tag.readUInt32BE(at))
  let at = !isOld && flags & EXTENDED ? sizeAt(0) + (version === 3 ? 4 : 0) : 0
  for (let frames = 0; frames < MAX_FRAMES && at + header <= tag.length && tag[at] !== 0; frames++) {
    const length = isOld ? tag.readUIntBE(at + 3, 3) : sizeAt(at + 4)
    if (tag.toString('latin1', at, at + name.length) === name) yield tag.subarray(at + header, at + header + length)
    at += header + length
  }
}

/** Encoding, type of the picture, its kind, a description, and then the picture. */
function pictureIn(frame: Buffer, version: number): { kind: number; bytes: Buffer } | undefined {
  const typeEnd = version === 2 ? 4 : frame.indexOf(0, 1) + 1
  const kind = frame[typeEnd]
  const isWide = frame[0] === 1 || frame[0] === 2
  const end = endOfText(frame, typeEnd + 1, isWide ? 2 : 1)
  return kind === undefined || end === undefined ? undefined : { kind, bytes: frame.subarray(end) }
}

/** Behind the zero that ends a text of characters so many bytes wide. */
function endOfText(bytes: Buffer, start: number, width: number): number | undefined {
  for (let at = start; at + width <= bytes.length; at += width) {
    if (bytes.readUIntBE(at, width) === 0) return at + width
  }
  return undefined
}

/** Four bytes of seven bits each. */
function sevenBits(bytes: Buffer, at: number): number {
  return bytes.subarray(at, at + 4).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
}

function resynchronised(bytes: Buffer): Buffer {
  return Buffer.from(bytes.filter((byte, at) => byte !== 0 || bytes[at - 1] !== 0xff))
}

/** Side of the images made here, in pixels. */
const SIDE = 8

/** A GIF of `count` frames, the first red and all others blue (GIF89a). */
export function gifOfFrames(count: number): Buffer {
  const palette = Buffer.from('ff00000000ff000000000000', 'hex')
  const screen = Buffer.from([SIDE, 0, SIDE, 0, 0b1000_0001, 0, 0])
  const frame = (colour: number) => Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0, SIDE, 0, SIDE, 0, 0]), lzwOf(colour)])
  const others = Array.from({ length: count - 1 }, () => frame(1))
  return Buffer.concat([Buffer.from('GIF89a'), screen, palette, frame(0), ...others, Buffer.from(';')])
}

/** A single colour in codes of three bits: each pixel restarts the table. */
function lzwOf(colour: number): Buffer {
  const [clear, end] = [4, 5]
  const codes = [...Array.from({ length: SIDE * SIDE }, () => [clear, colour]).flat(), end]
  const bytes = Buffer.alloc(Math.ceil((codes.length * 3) / 8))
  for (const [index, code] of codes.entries()) {
    for (let bit = 0; bit < 3; bit += 1) {
      const place = index * 3 + bit
      bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (((code >> bit) & 1) << (place & 7))
    }
  }
  return Buffer.concat([Buffer.from([2, bytes.length]), bytes, Buffer.from([0])])
}

/** A TIFF of `count` pages, the first red and all others blue (TIFF 6.0, section 6). */
export function tiffOfPages(count: number): Buffer {
  const strip = (colour: string) => Buffer.from(colour.repeat(SIDE * SIDE), 'hex')
  const head = Buffer.concat([Buffer.from('49492a0000000000', 'hex'), strip('ff0000'), strip('0000ff'), BITS])
  head.writeUInt32LE(head.length, 4)
  const pages = Array.from({ length: count }, (_, index) => {
    const start = head.length + index * PAGE_BYTES
    return page(8 + (index === 0 ? 0 : STRIP_BYTES), index === count - 1 ? 0 : start + PAGE_BYTES)
  })
  return Buffer.concat([head, ...pages])
}

/** Three channels of eight bits. */
const BITS = Buffer.from('080008000800', 'hex')
const STRIP_BYTES = SIDE * SIDE * 3
const ENTRIES = 9
const PAGE_BYTES = 2 + ENTRIES * 12 + 4

function page(strip: number, next: number): Buffer {
  const [short, long] = [3, 4]
  const entries = [
    [0x100, short, 1, SIDE],
    [0x101, short, 1, SIDE],
    [0x102, short, 3, 8 + 2 * STRIP_BYTES],
    [0x103, short, 1, 1],
    [0x106, short, 1, 2],
    [0x111, long, 1, strip],
    [0x115, short, 1, 3],
    [0x116, short, 1, SIDE],
    [0x117, long, 1, STRIP_BYTES],
  ] as const
  const bytes = Buffer.alloc(PAGE_BYTES)
  bytes.writeUInt16LE(ENTRIES)
  for (const [index, [tag, type, length, value]] of entries.entries()) {
    const at = 2 + index * 12
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(type, at + 2)
    bytes.writeUInt32LE(length, at + 4)
    bytes.writeUInt32LE(value, at + 8)
  }
  bytes.writeUInt32LE(next, PAGE_BYTES - 4)
  return bytes
}

import type { Sharp } from 'sharp'
import { decode, demandSize } from './decoder.ts'
import type { RenderOptions } from './renderer.ts'
import { readWhole, type Source } from './source.ts'

/** The headers of a bitmap. Rows are padded to four bytes. */
interface Layout {
  width: number
  height: number
  /** Rows run from top to bottom; usually they run from bottom to top. */
  topDown: boolean
  bits: number
  /** Offset of the first row. */
  pixels: number
  /** Blue, green, red and a zero byte for each colour of the palette. */
  palette: Buffer
  /** Bit masks of red, green, blue, and alpha if there is any, in pixels of 16 and 32 bits. */
  masks: readonly number[]
}

const FILE_HEADER = 14
const UNCOMPRESSED = 0
const BITFIELDS = [3, 6]
const MASKS_16 = [0x7c00, 0x03e0, 0x001f]
const MASKS_32 = [0xff0000, 0x00ff00, 0x0000ff]

/** Windows bitmaps, except compressed ones; sharp does not decode them. */
export async function open(source: Source, { maxPixels }: RenderOptions): Promise<Sharp> {
  const bytes = await readWhole(source)
  const layout = readLayout(bytes)
  const { width, height } = layout
  demandSize(layout, maxPixels)
  return decode(readPixels(bytes, layout), { raw: { width, height, channels: 4 } })
}

/** @throws TooLarge, RangeError or Error for an unsupported or invalid bitmap */
function readLayout(source: Buffer): Layout {
  if (source.toString('latin1', 0, 2) !== 'BM') throw new Error('no bitmap')
  const header = source.readUInt32LE(FILE_HEADER)
  if (header < 40) throw new Error('a bitmap of an unsupported version')
  const width = source.readInt32LE(18)
  const rows = source.readInt32LE(22)
  const bits = source.readUInt16LE(28)
  const compression = source.readUInt32LE(30)
  const masked = BITFIELDS.includes(compression)
  if (width < 1 || rows === 0 || (compression !== UNCOMPRESSED && !masked)) throw new Error('a compressed bitmap')
  if (![1, 4, 8, 16, 24, 32].includes(bits)) throw new Error('a bitmap of an unsupported depth')
  const start = FILE_HEADER + header
  const colours = bits <= 8 ? source.readUInt32LE(46) || 2 ** bits : 0
  return {
    width,
    height: Math.abs(rows),
    topDown: rows < 0,
    bits,
    pixels: source.readUInt32LE(10),
    palette: source.subarray(start, start + 4 * colours),
    masks: masked ? readMasks(source, header) : bits === 16 ? MASKS_16 : MASKS_32,
  }
}

/** They follow the shortest header, or are part of a longer one. */
function readMasks(source: Buffer, header: number): number[] {
  const count = header >= 56 ? 4 : 3
  return Array.from({ length: count }, (_, index) => source.readUInt32LE(FILE_HEADER + 40 + 4 * index))
}

/** Red, green, blue and alpha of each pixel, from the top. @throws RangeError for a file that is too short */
function readPixels(source: Buffer, layout: Layout): Buffer {
  const { width, height, bits, pixels, topDown } = layout
  const stride = Math.ceil((width * bits) / 32) * 4
  if (pixels + stride * height > source.length) throw new RangeError('a truncated bitmap')
  const out = Buffer.alloc(width * height * 4, 255)
  const put = painterFor(source, layout, out)
  for (let y = 0; y < height; y++) {
    const row = pixels + stride * (topDown ? y : height - 1 - y)
    for (let x = 0; x < width; x++) put(row, x, (y * width + x) * 4)
  }
  return out
}

/** Copies the pixel `x` of the row at `row` to `to`. */
type Painter = (row: number, x: number, to: number) => void

function painterFor(source: Buffer, { bits, palette, masks }: Layout, out: Buffer): Painter {
  if (bits === 24) return (row, x, to) => copyColour(source, row + 3 * x, out, to)
  if (bits <= 8) {
    const perByte = 8 / bits
    return (row, x, to) => {
      const shift = 8 - bits * ((x % perByte) + 1)
      const index = ((source[row + Math.floor(x / perByte)] ?? 0) >> shift) & (2 ** bits - 1)
      copyColour(palette, 4 * index, out, to)
    }
  }
  const channels = masks.map(channelOf)
  const bytes = bits / 8
  return (row, x, to) => {
    const pixel = source.readUIntLE(row + bytes * x, bytes)
    for (const [index, channel] of channels.entries()) out[to + index] = channel(pixel)
  }
}

/** From BGR. */
function copyColour(from: Buffer, at: number, out: Buffer, to: number): void {
  for (let channel = 0; channel < 3; channel++) out[to + channel] = from[at + 2 - channel] ?? 0
}

/** Extracts the bits of a mask and scales them to a byte; an empty mask gives 255. */
function channelOf(mask: number): (pixel: number) => number {
  if (mask === 0) return () => 255
  const shift = 31 - Math.clz32(mask & -mask)
  const most = mask >>> shift
  return pixel => Math.round((((pixel & mask) >>> shift) * 255) / most)
}

import sharp, { type Sharp } from 'sharp'

/** Left half red, right half blue. */
export const HALVES = { red: [255, 0, 0], blue: [0, 0, 255] } as const

/** An image of the two halves, to be encoded. */
export function halves(width: number, height: number): Sharp {
  const left = Math.floor(width / 2)
  const red = { create: { width: left, height, channels: 3, background: 'red' } } as const
  return sharp({ create: { width, height, channels: 3, background: 'blue' } }).composite([
    { input: red, left: 0, top: 0 },
  ])
}

/** Format, size, and the names of the colours near the four corners. */
export async function inspect(bytes: Buffer): Promise<{
  format: string
  width: number
  height: number
  corners: string[]
}> {
  const { format, width, height } = await sharp(bytes).metadata()
  const raw = await sharp(bytes).removeAlpha().toColourspace('srgb').raw().toBuffer()
  const at = (x: number, y: number) => nameOf([...raw.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)])
  const [right, bottom] = [width - 3, height - 3]
  return { format, width, height, corners: [at(2, 2), at(right, 2), at(2, bottom), at(right, bottom)] }
}

const NAMED: Record<string, readonly number[]> = {
  ...HALVES,
  white: [255, 255, 255],
  green: [0, 128, 0],
  black: [0, 0, 0],
}

function nameOf(colour: readonly number[]): string {
  const distance = (other: readonly number[]) =>
    Math.max(...other.map((value, channel) => Math.abs(value - (colour[channel] ?? 0))))
  return Object.keys(NAMED).find(name => distance(NAMED[name] ?? []) < 30) ?? colour.join(' ')
}

/** The header of a PNG of a given size, without pixels. */
export function pngHeader(width: number, height: number): Buffer {
  const [signature, type, depth, crc, data] = [
    '89504e470d0a1a0a',
    '49484452',
    '0802000000',
    '00000000',
    '0000000049444154',
  ]
  const head = Buffer.from(`${signature}0000000d${type}${'00'.repeat(8)}${depth}${crc}${data}00000000`, 'hex')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  head.writeUInt32BE(crcOf(head.subarray(12, 29)), 29)
  return head
}

function crcOf(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

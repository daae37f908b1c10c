import sharp from 'sharp'
import { expect, test } from 'vitest'
import { RESOLUTION_BYTES, resolutionOf } from './image-size.ts'

const image = () => sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
const size = { width: 300, height: 200 }

const FORMATS: [string, () => Promise<Buffer>][] = [
  ['PNG', () => image().png().toBuffer()],
  ['GIF', () => image().gif().toBuffer()],
  ['lossy WebP', () => image().webp().toBuffer()],
  ['lossless WebP', () => image().webp({ lossless: true }).toBuffer()],
  [
    'WebP with further chunks',
    () =>
      image()
        .withExif({ IFD0: { Copyright: 'me' } })
        .webp()
        .toBuffer(),
  ],
  ['JPEG', () => image().jpeg().toBuffer()],
  ['progressive JPEG', () => image().jpeg({ progressive: true }).toBuffer()],
  [
    'JPEG with camera metadata',
    () =>
      image()
        .withExif({ IFD0: { Copyright: 'm'.repeat(30_000) } })
        .jpeg()
        .toBuffer(),
  ],
]

test.each(FORMATS)('the size of a %s is read from its header', async (_, make) => {
  const bytes = await make()
  expect(resolutionOf(bytes.subarray(0, RESOLUTION_BYTES))).toEqual(size)
  for (const cut of [0, 1, 2, 3, 5, 9]) expect(resolutionOf(bytes.subarray(0, cut))).toBeUndefined()
})

test('the size of a bitmap is read, also with top-down rows', () => {
  const bytes = Buffer.alloc(54)
  bytes.write('BM')
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(300, 18)
  bytes.writeInt32LE(-200, 22)
  expect(resolutionOf(bytes)).toEqual(size)
})

test('bytes that are not an image, or an image of size 0, have none', () => {
  const nothing = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000', 'hex')
  const endless = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(RESOLUTION_BYTES, 0xff)])
  const loop = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.from('ffe00000'.repeat(1000), 'hex')])
  for (const bytes of [nothing, endless, loop, Buffer.from('<svg width="300"/>'), Buffer.alloc(0)]) {
    expect(resolutionOf(bytes)).toBeUndefined()
  }
})

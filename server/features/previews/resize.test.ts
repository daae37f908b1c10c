import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { PreviewSize } from '../../../shared/api/previews.ts'
import { decode, TooLarge } from './renderers/decoder.ts'
import { scale } from './resize.ts'
import { halves, inspect, pngHeader } from './test-pictures.ts'
import { BIG, THUMB } from './test-sources.ts'

async function imageOf(source: Buffer, size: PreviewSize) {
  const answer = await scale(decode(source), { ...BIG, size })
  if (answer.kind !== 'picture') throw new Error(answer.kind)
  return { type: answer.type, ...(await inspect(answer.bytes)) }
}

const SIDEWAYS = ['red', 'blue', 'red', 'blue']
const UPWARDS = ['red', 'red', 'blue', 'blue']

describe('a thumbnail', () => {
  test.each(['jpeg', 'png', 'webp', 'avif', 'tiff'] as const)('of %s is a square JPEG', async format => {
    const seen = await imageOf(await halves(600, 400).toFormat(format).toBuffer(), 'thumb')
    expect(seen).toEqual({ type: 'image/jpeg', format: 'jpeg', width: 256, height: 256, corners: SIDEWAYS })
  })

  test('of a small image fills the square, too', async () => {
    expect(await imageOf(await halves(20, 10).png().toBuffer(), 'thumb')).toMatchObject({ width: 256, height: 256 })
  })

  test('is upright whatever the orientation of the image', async () => {
    const lying = await halves(600, 400).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect((await imageOf(lying, 'thumb')).corners).toEqual(UPWARDS)
  })

  test('shows transparent parts white', async () => {
    const clear = sharp({
      create: { width: 300, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
    expect((await imageOf(await clear.png().toBuffer(), 'thumb')).corners[0]).toBe('white')
  })

  test('of a CMYK image is in sRGB', async () => {
    const print = await halves(600, 400).toColourspace('cmyk').jpeg().toBuffer()
    expect((await sharp(print).metadata()).space).toBe('cmyk')
    const answer = await scale(decode(print), THUMB)
    const bytes = answer.kind === 'picture' ? answer.bytes : Buffer.alloc(0)
    expect((await sharp(bytes).metadata()).space).toBe('srgb')
    const [red = 0, green = 0, blue = 0] = await sharp(bytes)
      .extract({ left: 9, top: 9, width: 1, height: 1 })
      .raw()
      .toBuffer()
    expect(red).toBeGreaterThan(200)
    expect(Math.max(green, blue)).toBeLessThan(60)
  })

  test('of an image with 16 bits per channel has 8 bits', async () => {
    const deep = await halves(600, 400).toColourspace('rgb16').png().toBuffer()
    expect((await sharp(deep).metadata()).depth).toBe('ushort')
    expect((await imageOf(deep, 'thumb')).corners).toEqual(SIDEWAYS)
  })

  test('does not contain the location of the image', async () => {
    const located = await halves(300, 300)
      .withExif({ IFD3: { GPSLatitude: '1/1 2/1 3/1' } })
      .jpeg()
      .toBuffer()
    expect((await sharp(located).metadata()).exif).toBeDefined()
    const answer = await scale(decode(located), THUMB)
    expect((await sharp(answer.kind === 'picture' ? answer.bytes : undefined).metadata()).exif).toBeUndefined()
  })
})

describe('a preview for a tile', () => {
  test.each(['512', '1024'] as const)('of %s pixels has the proportions of the image', async size => {
    const seen = await imageOf(await halves(2400, 1600).png().toBuffer(), size)
    const width = Number(size)
    expect(seen).toEqual({
      type: 'image/jpeg',
      format: 'jpeg',
      width,
      height: Math.round(width / 1.5),
      corners: SIDEWAYS,
    })
  })

  test('of a portrait has its longest side upright', async () => {
    const lying = await halves(1200, 800).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await imageOf(lying, '512')).toMatchObject({ width: 341, height: 512, corners: UPWARDS })
  })

  test('of a small image is not enlarged', async () => {
    expect(await imageOf(await halves(20, 10).png().toBuffer(), '512')).toMatchObject({ width: 20, height: 10 })
  })
})

describe('a large preview', () => {
  test.each([
    ['jpeg', 'image/jpeg', 'jpeg'],
    ['png', 'image/png', 'png'],
    ['webp', 'image/webp', 'webp'],
    ['avif', 'image/webp', 'webp'],
    ['tiff', 'image/webp', 'webp'],
  ] as const)('of %s is %s and fits', async (format, type, shown) => {
    const seen = await imageOf(await halves(2160, 540).toFormat(format).toBuffer(), 'big')
    expect(seen).toEqual({ type, format: shown, width: 1080, height: 270, corners: SIDEWAYS })
  })

  test('of a small image is not enlarged', async () => {
    expect(await imageOf(await halves(200, 100).png().toBuffer(), 'big')).toMatchObject({ width: 200, height: 100 })
  })

  test('is upright whatever the orientation of the image', async () => {
    const lying = await halves(2160, 1080).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await imageOf(lying, 'big')).toMatchObject({ width: 540, height: 1080, corners: UPWARDS })
  })

  test('keeps transparency', async () => {
    const clear = sharp({ create: { width: 30, height: 30, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    for (const format of ['png', 'webp', 'tiff'] as const) {
      const answer = await scale(
        decode(
          await clear
            .clone()
            .toFormat(format, format === 'tiff' ? { compression: 'lzw' } : {})
            .toBuffer(),
        ),
        BIG,
      )
      expect((await sharp(answer.kind === 'picture' ? answer.bytes : undefined).stats()).isOpaque).toBe(false)
    }
  })

  test.each(['gif', 'webp'] as const)('of an animated %s is the file itself', async format => {
    const frames = await sharp(
      [await halves(20, 20).png().toBuffer(), await halves(20, 20).negate().png().toBuffer()],
      {
        join: { animated: true },
      },
    )
      .toFormat(format)
      .toBuffer()
    expect(await scale(decode(frames), BIG)).toEqual({ kind: 'as_is' })
    expect((await imageOf(frames, 'thumb')).corners).toEqual(SIDEWAYS)
    expect(await imageOf(frames, '512')).toMatchObject({ width: 20, height: 20, corners: SIDEWAYS })
  })
})

describe('an image', () => {
  test.each([
    [10_001, 1],
    [1, 10_001],
    [8000, 8000],
    [65_535, 65_535],
  ])('of %d × %d pixels is too large, by its header alone', async (width, height) => {
    await expect(scale(decode(pngHeader(width, height)), THUMB)).rejects.toBeInstanceOf(TooLarge)
  })

  test('with a side of 10 000 pixels is not too large', async () => {
    const long = sharp({ create: { width: 10_000, height: 10, channels: 3, background: 'red' } })
    expect(await imageOf(await long.png().toBuffer(), 'big')).toMatchObject({ width: 1080, height: 1 })
  })

  test.each(['jpeg', 'png', 'webp', 'tiff'] as const)('in %s that is truncated is refused', async format => {
    const noise = sharp({
      create: {
        width: 300,
        height: 300,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
    const whole = await noise.toFormat(format).toBuffer()
    await expect(scale(decode(whole.subarray(0, whole.length / 2)), THUMB)).rejects.toThrow()
  })

  test.each([
    ['text', 'hello'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'],
    ['PDF', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>'],
    ['a PPM', 'P3 1 1 255 9 9 9'],
  ])('that is really %s is refused', async (_what, content) => {
    await expect(scale(decode(Buffer.from(content)), THUMB)).rejects.toThrow(/unsupported|empty/i)
  })
})

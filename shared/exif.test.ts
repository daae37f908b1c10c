import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { exifOf } from './exif.ts'

const TAKEN = '2024:05:01 12:34:56'

/** An image with camera metadata. */
const photo = () =>
  sharp({ create: { width: 4, height: 3, channels: 3, background: 'teal' } })
    .withExif({
      IFD3: {
        GPSLatitudeRef: 'S',
        GPSLatitude: '33/1 51/1 2448/100',
        GPSLongitudeRef: 'E',
        GPSLongitude: '151/1 12/1 5508/100',
      },
      IFD0: { Make: 'NIKON', Model: 'NIKON D750' },
      IFD2: {
        DateTimeOriginal: TAKEN,
        ExposureTime: '1/250',
        FNumber: '28/10',
        ISOSpeedRatings: '100',
        FocalLength: '35/1',
        LensModel: 'AF-S 35mm f/1.8',
      },
    })
    .jpeg()
    .toBuffer()

const bytesOf = ({ buffer, byteOffset, byteLength }: Buffer) =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength).slice().buffer

it('reads camera, date and exposure of a photo', async () => {
  expect(await exifOf(bytesOf(await photo()))).toEqual({
    camera: 'NIKON D750',
    taken: new Date(2024, 4, 1, 12, 34, 56),
    time: 1 / 250,
    aperture: 2.8,
    iso: 100,
    focalLength: 35,
    lens: 'AF-S 35mm f/1.8',
    place: { latitude: expect.closeTo(-33.8568, 6), longitude: expect.closeTo(151.2153, 6) },
  })
})

it('reads the date of an AVIF image, whose structure is that of HEIF', async () => {
  const avif = await sharp(await photo())
    .keepExif()
    .avif({ effort: 0 })
    .toBuffer()
  expect((await exifOf(bytesOf(avif)))?.taken).toEqual(new Date(2024, 4, 1, 12, 34, 56))
})

it('returns undefined without camera metadata, and for a truncated file', async () => {
  const plain = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  expect(await exifOf(bytesOf(plain))).toBeUndefined()
  expect(await exifOf(bytesOf(readFileSync(import.meta.filename)))).toBeUndefined()
  const whole = await photo()
  for (let end = 0; end < whole.length; end += 1)
    await expect(exifOf(bytesOf(whole.subarray(0, end)))).resolves.not.toThrow()
})

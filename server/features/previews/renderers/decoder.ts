import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { MAX_IMAGE_SIDE } from '../../../../shared/limits.ts'

// The content decides the format, whatever the name says: formats that are not listed, such as SVG, are not loaded at
// all.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadTiffBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
})
// Each process makes one preview at a time; other processes use the other processors.
sharp.concurrency(1)
sharp.cache(false)

/** An image with more pixels than may be decoded. */
export class TooLarge extends Error {}

/** A document that needs a password. */
export class Locked extends Error {}

/**
 * An image in one of the formats above, or raw pixels; the caller checks its size. A corrupt image throws instead of
 * yielding a part.
 */
export function decode(source: Buffer, options: SharpOptions = {}): Sharp {
  return sharp(source, { failOn: 'error', limitInputPixels: false, ...options })
}

/** @throws TooLarge */
export function demandSize({ width, height }: Size, maxPixels: number): void {
  if (width > MAX_IMAGE_SIDE || height > MAX_IMAGE_SIDE || width * height > maxPixels) throw new TooLarge()
}

export interface Size {
  width: number
  height: number
}

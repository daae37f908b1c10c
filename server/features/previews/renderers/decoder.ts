import sharp, { type Sharp, type SharpOptions } from 'sharp'
import { MAX_IMAGE_SIDE } from '../../../../shared/limits.ts'

// Formats are told by content, whatever the name says: what is not listed, such as SVG, is not even looked at.
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

/** A picture with more pixels than may be decoded. */
export class TooLarge extends Error {}

/**
 * A picture in one of the formats above, or bare pixels; its size is still to be looked at. Damage ends with an error,
 * never with half a picture.
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

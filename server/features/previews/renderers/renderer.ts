import type { Sharp } from 'sharp'
import type { PreviewSize } from '../../../../shared/api/previews.ts'
import { BIG_SIDE, THUMB_SIDE } from '../../../../shared/limits.ts'
import type { Source } from './source.ts'

/** The options of a preview. */
export interface RenderOptions {
  size: PreviewSize
  /** The most pixels that may be decoded. */
  maxPixels: number
}

/** Decodes a file to an image. Loaded and run only in a preview process. */
export interface Renderer {
  /** @throws TooLarge, or any other error for a file that is not such an image, or has none embedded */
  open(source: Source, options: RenderOptions): Promise<Sharp>
}

/** The longest side of a preview, in pixels; of a thumbnail, twice the side of its square. */
export function longestSide(size: PreviewSize): number {
  if (size === 'thumb') return 2 * THUMB_SIDE
  return size === 'big' ? BIG_SIDE : Number(size)
}

import type { Sharp } from 'sharp'
import type { PreviewSize } from '../../../../shared/api/previews.ts'
import type { Source } from './source.ts'

/** What a picture is wanted for. */
export interface Wish {
  size: PreviewSize
  /** Pixels that may be decoded. */
  maxPixels: number
}

/** Turns a file into a picture. Loaded and run in a process of its own only. */
export interface Renderer {
  /** @throws TooLarge, or anything else for a file that is no such picture, or has none in it */
  open(source: Source, wish: Wish): Promise<Sharp>
}

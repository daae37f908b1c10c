import type { Renderer, Wish } from './renderers/renderer.ts'
import { openSource, type Source } from './renderers/source.ts'

const maxPixels = 50 * 1024 ** 2
export const THUMB: Wish = { size: 'thumb', maxPixels }
export const BIG: Wish = { size: 'big', maxPixels }

/** Bytes as a renderer gets at those of a file. */
export const sourceOf = (bytes: Buffer): Source =>
  openSource(bytes.length, async (start, length) => bytes.subarray(start, start + length))

/** What a renderer makes of the bytes of a file. */
export const openBytes = (open: Renderer['open'], bytes: Buffer, wish = BIG) => open(sourceOf(bytes), wish)

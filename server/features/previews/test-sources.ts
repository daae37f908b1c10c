import type { Renderer, RenderOptions } from './renderers/renderer.ts'
import { openSource, type Source } from './renderers/source.ts'

const maxPixels = 50 * 1024 ** 2
export const THUMB: RenderOptions = { size: 'thumb', maxPixels }
export const BIG: RenderOptions = { size: 'big', maxPixels }

/** A renderer's source of the given bytes. */
export const sourceOf = (bytes: Buffer): Source =>
  openSource(bytes.length, async (start, length) => bytes.subarray(start, start + length))

/** The image that a renderer makes of a file's bytes. */
export const openBytes = (open: Renderer['open'], bytes: Buffer, options = BIG) => open(sourceOf(bytes), options)

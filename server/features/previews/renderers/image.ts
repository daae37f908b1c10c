import type { Sharp } from 'sharp'
import { decode } from './decoder.ts'
import { readWhole, type Source } from './source.ts'

/** JPEG, PNG, GIF, WebP, AVIF, TIFF, whatever the name says. */
export async function open(source: Source): Promise<Sharp> {
  return decode(await readWhole(source))
}

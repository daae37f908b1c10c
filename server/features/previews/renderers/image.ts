import type { Sharp } from 'sharp'
import { decode } from './decoder.ts'

/** JPEG, PNG, WebP, AVIF, TIFF; a GIF by another name, too. */
export function open(source: Buffer): Sharp {
  return decode(source)
}

import type { Metadata, Sharp } from 'sharp'
import { BIG_SIDE, THUMB_SIDE } from '../../../shared/limits.ts'
import type { Answer, PictureType } from './messages.ts'
import { demandSize } from './renderers/decoder.ts'
import type { Wish } from './renderers/renderer.ts'

/** Quality of lossy previews, up to 100. */
const QUALITY = 80
/** Formats of which the frames are an animation, not pages. */
const ANIMATED = ['gif', 'webp']

/**
 * Makes a preview, upright and in sRGB (http-api 6).
 * @throws TooLarge before anything is decoded, or anything else for a picture that is damaged
 */
export async function scale(picture: Sharp, { size, maxPixels }: Wish): Promise<Answer> {
  const facts = await picture.metadata()
  demandSize(facts, maxPixels)
  if (size === 'thumb') return thumbOf(picture)
  const isAnimated = ANIMATED.includes(facts.format) && (facts.pages ?? 1) > 1
  return isAnimated ? { kind: 'as_is' } : bigOf(picture, facts)
}

/** A square cut from the middle, always JPEG. */
async function thumbOf(picture: Sharp): Promise<Answer> {
  const small = picture.autoOrient().resize(THUMB_SIDE, THUMB_SIDE, { fit: 'cover' }).flatten({ background: 'white' })
  return { kind: 'picture', type: 'image/jpeg', bytes: await small.jpeg({ quality: QUALITY }).toBuffer() }
}

/** Fitted, never enlarged. Formats that browsers may not show become WebP. */
async function bigOf(picture: Sharp, { format }: Metadata): Promise<Answer> {
  const fitted = picture.autoOrient().resize(BIG_SIDE, BIG_SIDE, { fit: 'inside', withoutEnlargement: true })
  const kept = format === 'jpeg' || format === 'png' ? format : 'webp'
  const type: PictureType = `image/${kept}`
  const bytes = await fitted.toFormat(kept, kept === 'png' ? {} : { quality: QUALITY }).toBuffer()
  return { kind: 'picture', type, bytes }
}

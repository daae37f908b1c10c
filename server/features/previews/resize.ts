import type { Metadata, Sharp } from 'sharp'
import { BIG_SIDE, COLOURS_SIDE, THUMB_SIDE } from '../../../shared/limits.ts'
import type { Answer, ImageType } from './messages.ts'
import { decode, demandSize } from './renderers/decoder.ts'
import { longestSide, type RenderOptions } from './renderers/renderer.ts'

/** Quality of lossy previews, up to 100. */
const QUALITY = 80
/** Formats whose frames are an animation, not pages. */
const ANIMATED = ['gif', 'webp']

/**
 * Makes a preview, upright and in sRGB (http-api 6).
 * @throws TooLarge before anything is decoded, or any other error for a corrupt image
 */
export async function scale(image: Sharp, { size, maxPixels }: RenderOptions): Promise<Answer> {
  const facts = await image.metadata()
  demandSize(facts, maxPixels)
  if (size === 'thumb') return thumbOf(image)
  if (size !== 'big') return fittedOf(image, longestSide(size))
  const isAnimated = ANIMATED.includes(facts.format) && (facts.pages ?? 1) > 1
  return isAnimated ? { kind: 'as_is' } : bigOf(image, facts)
}

/** A square cut from the centre. */
function thumbOf(image: Sharp): Promise<Answer> {
  return jpegOf(image.autoOrient().resize(THUMB_SIDE, THUMB_SIDE, { fit: 'cover' }))
}

/** Fitted with its proportions, never enlarged; with its colours, which galleries show until they have it. */
async function fittedOf(image: Sharp, side: number): Promise<Answer> {
  const answer = await jpegOf(image.autoOrient().resize(side, side, { fit: 'inside', withoutEnlargement: true }))
  return answer.kind === 'picture' ? { ...answer, colours: await coloursOf(answer.bytes) } : answer
}

/** As in `PictureSizes`. */
async function coloursOf(image: Buffer): Promise<string> {
  const pixels = decode(image)
    .resize(COLOURS_SIDE, COLOURS_SIDE, { fit: 'fill' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
  return (await pixels.toBuffer()).toString('base64')
}

async function jpegOf(image: Sharp): Promise<Answer> {
  const bytes = await image.flatten({ background: 'white' }).jpeg({ quality: QUALITY }).toBuffer()
  return { kind: 'picture', type: 'image/jpeg', bytes }
}

/** Fitted, never enlarged. Formats that browsers may not support become WebP. */
async function bigOf(image: Sharp, { format }: Metadata): Promise<Answer> {
  const fitted = image.autoOrient().resize(BIG_SIDE, BIG_SIDE, { fit: 'inside', withoutEnlargement: true })
  const kept = format === 'jpeg' || format === 'png' ? format : 'webp'
  const type: ImageType = `image/${kept}`
  const bytes = await fitted.toFormat(kept, kept === 'png' ? {} : { quality: QUALITY }).toBuffer()
  return { kind: 'picture', type, bytes }
}

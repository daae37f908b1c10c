import { isUtf8 } from 'node:buffer'
import { resolutionOf } from '../../file-types/image-size.ts'
import { typeBySignature } from '../../file-types/magic-numbers.ts'

/** An image of a type that every browser shows. */
export interface CheckedImage {
  content: Buffer
  /** Its media type, by content alone. */
  type: string
  /** Pixels; 0 for vector graphics. */
  width: number
  height: number
}

const PIXELS = new Set(['image/png', 'image/jpeg', 'image/webp'])

/** What may stand before the root of a drawing: a mark, a declaration, comments and a document type without entities. */
const DRAWING =
  /^\uFEFF?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*(?:<!DOCTYPE\s+svg[^>[]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<svg[\s>]/i
/** Characters in which the root of a drawing is sought. */
const DRAWING_HEAD = 4096

/** The image that the bytes are: PNG, JPEG, WebP or SVG; `undefined` for anything else. */
export function checkImage(content: Buffer): CheckedImage | undefined {
  const type = typeBySignature(content)
  if (type !== undefined) {
    const size = PIXELS.has(type) ? resolutionOf(content) : undefined
    return size && { content, type, ...size }
  }
  const isDrawing = isUtf8(content) && DRAWING.test(content.toString('utf8').slice(0, DRAWING_HEAD))
  return isDrawing ? { content, type: 'image/svg+xml', width: 0, height: 0 } : undefined
}

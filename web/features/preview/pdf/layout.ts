import type { Place } from './destination.ts'
import type { PageSize } from './use-pdf.ts'

/** CSS pixels between two pages, and around them. */
export const GAP = 16

/** The vertical layout of pages, in CSS pixels. */
export interface Layout {
  /** Upper edge of each page, and finally the end of the last one. */
  tops: Float64Array
  /** Width of the widest page, including the margins. */
  width: number
}

/**
 * Stacks pages. @param sizes as far as loaded; the others are assumed to be like the first
 * @param scale CSS pixels per unit of the document
 */
export function layOut(count: number, first: PageSize, sizes: ReadonlyMap<number, PageSize>, scale: number): Layout {
  const tops = new Float64Array(count + 1)
  tops[0] = GAP
  let widest = 0
  for (let index = 0; index < count; index += 1) {
    const { width, height } = sizes.get(index + 1) ?? first
    widest = Math.max(widest, width * scale)
    tops[index + 1] = (tops[index] ?? 0) + height * scale + GAP
  }
  return { tops, width: widest + 2 * GAP }
}

/** The page at an offset, from 1. */
export function pageAt({ tops }: Layout, offset: number): number {
  let low = 0
  let high = tops.length - 2
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}

/** The place at an offset. */
export function placeAt(layout: Layout, offset: number): Place {
  const page = pageAt(layout, offset)
  const top = layout.tops[page - 1] ?? 0
  const height = (layout.tops[page] ?? top) - top
  return { page, share: height > 0 ? Math.min(1, Math.max(0, (offset - top) / height)) : 0 }
}

/** The offset of a place; the inverse of `placeAt`. */
export function offsetOf({ tops }: Layout, { page, share }: Place): number {
  const top = tops[page - 1] ?? 0
  return top + share * ((tops[page] ?? top) - top)
}

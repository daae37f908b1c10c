import { type Box, type Geometry, geometryOf } from '../../../../ui/grid/geometry.ts'
import { addRange, EMPTY, type RangeSet } from '../../../../ui/grid/range-set.ts'
import { justify } from './justify.ts'
import type { Month } from './months.ts'

/** Lengths are CSS pixels. */
export interface GallerySizes {
  /** Wanted height of a row of images. */
  picture: number
  /** Folders: their height and minimum width. */
  chip: { height: number; width: number }
  gap: number
  /** Of a month. */
  heading: number
}

/** Where a month is: its heading, and its rows. */
export interface MonthBlock {
  top: number
  end: number
}

export type GalleryGeometry = Geometry & {
  /** In the order of the months. */
  months: readonly MonthBlock[]
}

/** A line of chips or images, with the place of each in it. */
interface Line {
  from: number
  to: number
  top: number
  height: number
  /** From the inline start of the grid. */
  starts: readonly number[]
  widths: readonly number[]
}

/** Images that are divided into rows together: those above and below keep their rows when one of them changes. */
export const SECTION = 100

/** Images from one to before another, in rows of their own. */
export interface Section {
  from: number
  to: number
  /** Whether the next one continues its month. */
  goesOn: boolean
  /** Whether the heading of a month is above it. */
  begins: boolean
}

/** Divides images into sections, none of which has images of two months. @param months none for one block */
export function sectionsOf(count: number, months: readonly Pick<Month, 'from' | 'to'>[]): Section[] {
  const blocks = months.length > 0 ? months : [{ from: 0, to: count }]
  return blocks.flatMap(({ from, to }) =>
    Array.from({ length: Math.ceil((to - from) / SECTION) }, (_, at) => {
      const begin = from + at * SECTION
      const end = Math.min(to, begin + SECTION)
      return { from: begin, to: end, goesOn: end < to, begins: at === 0 && months.length > 0 }
    }),
  )
}

/**
 * The geometry of a gallery: folders as chips of the same size, then images in justified rows, below the headings of
 * their months where it has any.
 * @param folders number of folders; the images follow
 * @param ratios width divided by height, of each image
 */
export function arrangeGallery(
  folders: number,
  ratios: readonly number[],
  width: number,
  sizes: GallerySizes,
  sections = sectionsOf(ratios.length, []),
): GalleryGeometry {
  const lines = chipLines(folders, width, sizes)
  const months: { top: number; end: number }[] = []
  let top = endOf(lines, sizes.gap)
  for (const { from: first, to: end, goesOn, begins } of sections) {
    if (begins) {
      months.push({ top, end: top })
      top += sizes.heading
    }
    const section = ratios.slice(first, end)
    const rows = justify(section, { width: width - 2 * sizes.gap, gap: sizes.gap, height: sizes.picture, goesOn })
    let from = 0
    for (const { to, height } of rows) {
      const line = pictureLine(section.slice(from, to), folders + first + from, height, sizes.gap)
      lines.push({ ...line, top })
      top += line.height + sizes.gap
      from = to
    }
    const month = months.at(-1)
    if (month) month.end = top
  }
  const covered = months.length > 0 ? sizes.heading + sizes.gap : 0
  return { ...geometryOfLines(lines, sizes.gap), covered, months }
}

/** Whether the images of several months fill more than the window. @param ratios width divided by height, of each */
export function isLong(months: readonly Month[], ratios: readonly number[], sizes: GallerySizes): boolean {
  if (months.length < 2) return false
  const widths = ratios.reduce((sum, ratio) => sum + ratio * sizes.picture, 0)
  return (widths / innerWidth) * sizes.picture + months.length * sizes.heading > innerHeight
}

const endOf = (lines: readonly Line[], gap: number) => {
  const last = lines.at(-1)
  return last ? last.top + last.height + gap : gap
}

function chipLines(count: number, width: number, { chip, gap }: GallerySizes): Line[] {
  const even = geometryOf({ height: chip.height, tile: { width: chip.width, gap } }, count, width)
  const perLine = geometryOf({ height: chip.height, tile: { width: chip.width, gap } }, 1000, width).rowsOf(0)[1]
  const own = (width - gap * (perLine + 1)) / perLine
  return Array.from({ length: even.lines }, (_, line) => {
    const [from, to] = even.rowsOf(line)
    const starts = Array.from({ length: to - from }, (_, column) => gap + column * (own + gap))
    return { from, to, top: even.topOf(line), height: chip.height, starts, widths: starts.map(() => own) }
  })
}

function pictureLine(ratios: readonly number[], from: number, height: number, gap: number): Omit<Line, 'top'> {
  const widths = ratios.map(ratio => ratio * height)
  let start = gap
  const starts = widths.map(width => {
    const own = start
    start += width + gap
    return own
  })
  return { from, to: from + ratios.length, height: Math.round(height), starts, widths }
}

/** Lines of different heights, ascending; found by halving. */
function geometryOfLines(lines: readonly Line[], gap: number): Geometry {
  const count = lines.at(-1)?.to ?? 0
  const lastWhere = (fits: (line: Line) => boolean) => {
    let [low, high] = [0, lines.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      const line = lines[middle]
      if (line && fits(line)) low = middle
      else high = middle - 1
    }
    return low
  }
  const lineOf = (index: number) => lastWhere(line => line.from <= index)
  const lineAt = (offset: number) => lastWhere(line => line.top <= offset)
  return {
    tiles: true,
    count,
    lines: lines.length,
    total: endOf(lines, gap),
    overscan: 2,
    lineOf,
    topOf: line => lines[line]?.top ?? gap,
    heightOf: line => lines[line]?.height ?? 0,
    lineAt,
    rowsOf: line => [lines[line]?.from ?? 0, lines[line]?.to ?? 0],
    placeOf(index) {
      const line = lines[lineOf(index)]
      const at = index - (line?.from ?? 0)
      return { shift: line?.starts[at] ?? 0, size: `${line?.widths[at] ?? 0}px` }
    },
    stepFrom(index, by) {
      const from = lineOf(index)
      const to = Math.max(0, Math.min(lines.length - 1, from + by))
      return from === to ? index : (nearestIn(lines[to], middleOf(lines[from], index)) ?? index)
    },
    within: box => rowsTouched(lines.slice(lineAt(box.top), lineAt(box.bottom) + 1), box),
  }
}

function middleOf(line: Line | undefined, index: number): number {
  const at = index - (line?.from ?? 0)
  return (line?.starts[at] ?? 0) + (line?.widths[at] ?? 0) / 2
}

/** The row of a line whose middle is nearest to a distance from the inline start. */
function nearestIn(line: Line | undefined, middle: number): number | undefined {
  if (!line) return undefined
  let nearest = line.from
  for (let index = line.from + 1; index < line.to; index += 1) {
    const isNearer = Math.abs(middleOf(line, index) - middle) < Math.abs(middleOf(line, nearest) - middle)
    if (isNearer) nearest = index
  }
  return nearest
}

function rowsTouched(lines: readonly Line[], { start, end, top, bottom }: Box): RangeSet {
  let rows = EMPTY
  for (const line of lines) {
    if (bottom < line.top || top > line.top + line.height) continue
    for (let index = line.from; index < line.to; index += 1) {
      const from = line.starts[index - line.from] ?? 0
      const to = from + (line.widths[index - line.from] ?? 0)
      if (end >= from && start <= to) rows = addRange(rows, index, index + 1)
    }
  }
  return rows
}

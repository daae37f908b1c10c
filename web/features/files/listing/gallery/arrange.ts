import { type Box, type Geometry, geometryOf } from '../../../../ui/grid/geometry.ts'
import { addRange, EMPTY, type RangeSet } from '../../../../ui/grid/range-set.ts'
import { justify } from './justify.ts'

/** Lengths are CSS pixels. */
export interface GallerySizes {
  /** Wanted height of a row of pictures. */
  picture: number
  /** Folders: their height and minimum width. */
  chip: { height: number; width: number }
  gap: number
}

/** A line of chips or pictures, with the place of each in it. */
interface Line {
  from: number
  to: number
  top: number
  height: number
  /** From the inline start of the grid. */
  starts: readonly number[]
  widths: readonly number[]
}

/** Pictures that are divided into rows together: those above and below keep their rows when one of them changes. */
export const SECTION = 100

/**
 * The geometry of a gallery: folders as chips of the same size, then pictures in justified rows.
 * @param folders number of folders; the pictures follow
 * @param ratios width divided by height, of each picture
 */
export function arrangeGallery(
  folders: number,
  ratios: readonly number[],
  width: number,
  sizes: GallerySizes,
): Geometry {
  const lines = chipLines(folders, width, sizes)
  let top = endOf(lines, sizes.gap)
  for (let first = 0; first < ratios.length; first += SECTION) {
    const section = ratios.slice(first, first + SECTION)
    const goesOn = first + SECTION < ratios.length
    const rows = justify(section, { width: width - 2 * sizes.gap, gap: sizes.gap, height: sizes.picture, goesOn })
    let from = 0
    for (const { to, height } of rows) {
      const line = pictureLine(section.slice(from, to), folders + first + from, height, sizes.gap)
      lines.push({ ...line, top })
      top += line.height + sizes.gap
      from = to
    }
  }
  return geometryOfLines(lines, sizes.gap)
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

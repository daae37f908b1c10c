import { EMPTY, type RangeSet } from './range-set.ts'

/** The layout of a grid's rows: a list, or tiles of one size, several per line. Lengths are CSS pixels. */
export interface GridLayout {
  /** Height of a row, or of a tile. */
  height: number
  tile?: {
    /** Minimum width of a tile; as many as fit share a line's width. */
    width: number
    /** Between tiles, and around all of them. */
    gap: number
  }
}

/** A rectangle; distances from the first line's top, and from the inline start (in either direction of writing). */
export interface Box {
  start: number
  end: number
  top: number
  bottom: number
}

/** Where a tile is in its line. */
export interface TilePlace {
  /** CSS length from the inline start of the line; or `shift`, in CSS pixels, for tiles that move while they are shown. */
  start?: string
  shift?: number
  /** CSS length. */
  size: string
}

/** A layout computed for a number of rows and a width: lines, one below the other. */
export interface Geometry {
  tiles: boolean
  count: number
  /** Number of lines. */
  lines: number
  /** Height of all lines, including the space above the first one. */
  total: number
  /** Lines rendered beyond the edges. */
  overscan: number
  /** Height of what covers the rows at the upper edge of the grid. */
  covered?: number
  lineOf(index: number): number
  topOf(line: number): number
  heightOf(line: number): number
  /** The line at a distance from the top, or the last one above it; the first and the last one beyond them. */
  lineAt(offset: number): number
  /** The rows of a line: from one to before another. */
  rowsOf(line: number): readonly [from: number, to: number]
  /** `undefined` in a list. */
  placeOf(index: number): TilePlace | undefined
  /** The row reached by moving some lines down, or up where negative. */
  stepFrom(index: number, by: number): number
  /** The rows a rectangle touches; the gaps between tiles belong to none. */
  within(box: Box): RangeSet
}

/** Rows rendered beyond the edges. */
const OVERSCAN = 6

/** @param width of the grid, without its scroll bar */
export function geometryOf({ height, tile }: GridLayout, count: number, width: number): Geometry {
  const gap = tile?.gap ?? 0
  const room = Math.max(0, width - 2 * gap)
  const perLine = tile ? Math.max(1, Math.floor((room + gap) / (tile.width + gap))) : 1
  const own = (room - gap * (perLine - 1)) / perLine
  const step = height + gap
  const lines = Math.ceil(count / perLine)
  const lineOf = (index: number) => Math.floor(index / perLine)
  return {
    tiles: tile !== undefined,
    count,
    lines,
    total: gap + lines * step,
    overscan: Math.ceil(OVERSCAN / perLine),
    lineOf,
    topOf: line => gap + line * step,
    heightOf: () => height,
    lineAt: offset => Math.max(0, Math.min(lines - 1, Math.floor((offset - gap) / step))),
    rowsOf: line => [line * perLine, Math.min(count, (line + 1) * perLine)],
    // Fractions of the width, so that tiles resize with the window before their number changes.
    placeOf: index =>
      tile && {
        start: `calc(${gap}px + (100% - ${gap}px) * ${(index % perLine) / perLine})`,
        size: `calc((100% - ${gap}px) / ${perLine} - ${gap}px)`,
      },
    stepFrom(index, by) {
      const target = index + by * perLine
      if (target < 0) return index % perLine
      if (target < count) return target
      // Above the gap of a short last line, the last tile.
      return lineOf(index) < lines - 1 ? count - 1 : index
    },
    within({ start, end, top, bottom }) {
      const rows = touched(top - gap, bottom - gap, height, gap, lines)
      const columns = tile ? touched(start - gap, end - gap, own, gap, perLine) : { from: 0, to: 1 }
      if (rows.to <= rows.from || columns.to <= columns.from) return EMPTY
      if (columns.to - columns.from === perLine) return [rows.from * perLine, Math.min(count, rows.to * perLine)]
      const borders: number[] = []
      for (let line = rows.from; line < rows.to; line += 1) {
        const first = line * perLine + columns.from
        if (first < count) borders.push(first, Math.min(count, line * perLine + columns.to))
      }
      return borders
    },
  }
}

/** Which of `count` equal tracks with a gap between them an extent touches. */
function touched(from: number, to: number, size: number, gap: number, count: number): { from: number; to: number } {
  const step = size + gap
  return { from: Math.max(0, Math.ceil((from - size) / step)), to: Math.min(count, Math.floor(to / step) + 1) }
}

import { EMPTY, type RangeSet } from './range-set.ts'

/** The layout of a grid's rows: a list, or tiles, several per line. Lengths are CSS pixels. */
export interface GridLayout {
  /** Height of a row; of a tile unless its `aspect` overrides it. */
  height: number
  tile?: {
    /** Minimum width of a tile; as many as fit share a line's width. */
    width: number
    /** Between tiles, and around all of them. */
    gap: number
    /** Width divided by height. */
    aspect?: number
  }
}

/** A layout computed for a number of rows and a width. */
export interface Geometry {
  tiles: boolean
  count: number
  perLine: number
  /** Of one row or tile. */
  width: number
  height: number
  gap: number
}

/** @param width of the grid, without its scroll bar */
export function geometryOf({ height, tile }: GridLayout, count: number, width: number): Geometry {
  if (!tile) return { tiles: false, count, perLine: 1, width, height, gap: 0 }
  const { gap, aspect } = tile
  const room = Math.max(0, width - 2 * gap)
  const perLine = Math.max(1, Math.floor((room + gap) / (tile.width + gap)))
  const own = (room - gap * (perLine - 1)) / perLine
  return { tiles: true, count, perLine, width: own, height: aspect ? Math.round(own / aspect) : height, gap }
}

export function lineOf({ perLine }: Geometry, index: number): number {
  return Math.floor(index / perLine)
}

export function lineCount({ count, perLine }: Geometry): number {
  return Math.ceil(count / perLine)
}

/** From the top of one line to the top of the next. */
export function lineStep({ height, gap }: Geometry): number {
  return height + gap
}

/** The rows of some lines, ascending. */
export function rowsOfLines({ count, perLine }: Geometry, lines: readonly number[]): number[] {
  return lines.flatMap(line => {
    const first = line * perLine
    return Array.from({ length: Math.min(perLine, count - first) }, (_, column) => first + column)
  })
}

/** A rectangle; distances from the first line's top, and from the inline start (in either direction of writing). */
export interface Box {
  start: number
  end: number
  top: number
  bottom: number
}

/** The rows a rectangle touches; the gaps between tiles belong to none. */
export function rowsWithin(geometry: Geometry, { start, end, top, bottom }: Box): RangeSet {
  const { count, perLine, width, height, gap } = geometry
  const lines = touched(top - gap, bottom - gap, height, gap, lineCount(geometry))
  const columns = geometry.tiles ? touched(start - gap, end - gap, width, gap, perLine) : { from: 0, to: 1 }
  if (lines.to <= lines.from || columns.to <= columns.from) return EMPTY
  if (columns.to - columns.from === perLine) return [lines.from * perLine, Math.min(count, lines.to * perLine)]
  const borders: number[] = []
  for (let line = lines.from; line < lines.to; line += 1) {
    const first = line * perLine + columns.from
    if (first < count) borders.push(first, Math.min(count, line * perLine + columns.to))
  }
  return borders
}

/** Which of `count` equal tracks with a gap between them an extent touches. */
function touched(from: number, to: number, size: number, gap: number, count: number): { from: number; to: number } {
  const step = size + gap
  return { from: Math.max(0, Math.ceil((from - size) / step)), to: Math.min(count, Math.floor(to / step) + 1) }
}

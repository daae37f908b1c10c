/** Tallest element that every browser shows, in CSS pixels. */
const TALLEST = 8_000_000

/** Rows of one height in a window that shows a few of them. */
export interface TallGeometry {
  rows: number
  /** CSS pixels. */
  rowHeight: number
  /** Height of the window, without what stands above the rows. */
  room: number
}

/** Height that all rows would take, or as much as there can be. */
export function heightOf({ rows, rowHeight }: TallGeometry): number {
  return Math.min(TALLEST, rows * rowHeight)
}

/** Whole rows in the window. */
export function fittingRows({ rowHeight, room }: TallGeometry): number {
  return Math.max(1, Math.floor(room / rowHeight))
}

/** The last row that may be the first in the window. */
export function lastTop(geometry: TallGeometry): number {
  return Math.max(0, geometry.rows - fittingRows(geometry))
}

/** The row on top at a scroll position; where there are too many rows for an element, the position is a share. */
export function topAt(offset: number, geometry: TallGeometry): number {
  const way = heightOf(geometry) - geometry.room
  if (way <= 0) return 0
  const exact = geometry.rows * geometry.rowHeight <= TALLEST
  const top = exact ? Math.round(offset / geometry.rowHeight) : Math.round((offset / way) * lastTop(geometry))
  return Math.min(lastTop(geometry), Math.max(0, top))
}

/** The scroll position at which a row is on top; the inverse of `topAt`. */
export function offsetOf(top: number, geometry: TallGeometry): number {
  const exact = geometry.rows * geometry.rowHeight <= TALLEST
  if (exact) return top * geometry.rowHeight
  const last = lastTop(geometry)
  return last === 0 ? 0 : (top / last) * (heightOf(geometry) - geometry.room)
}

/** The row on top when this one is to be seen: moves no farther than it must. */
export function topShowing(row: number, top: number, geometry: TallGeometry): number {
  const wanted = row < top ? row : Math.max(top, row - fittingRows(geometry) + 1)
  return Math.min(lastTop(geometry), Math.max(0, wanted))
}

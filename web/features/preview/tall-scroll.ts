/** Maximum height of an element in every browser, in CSS pixels. */
const TALLEST = 8_000_000

/** Rows of equal height in a scroll container. */
export interface TallGeometry {
  rows: number
  /** CSS pixels. */
  rowHeight: number
  /** Height of the container, without the header above the rows. */
  room: number
}

/** Height of all rows, capped at the maximum. */
export function heightOf({ rows, rowHeight }: TallGeometry): number {
  return Math.min(TALLEST, rows * rowHeight)
}

/** Number of whole rows that fit. */
export function fittingRows({ rowHeight, room }: TallGeometry): number {
  return Math.max(1, Math.floor(room / rowHeight))
}

/** The last row that can be at the top. */
export function lastTop(geometry: TallGeometry): number {
  return Math.max(0, geometry.rows - fittingRows(geometry))
}

/** The top row at a scroll offset; where the rows exceed the maximum height, the offset is proportional. */
export function topAt(offset: number, geometry: TallGeometry): number {
  const way = heightOf(geometry) - geometry.room
  if (way <= 0) return 0
  const exact = geometry.rows * geometry.rowHeight <= TALLEST
  const top = exact ? Math.round(offset / geometry.rowHeight) : Math.round((offset / way) * lastTop(geometry))
  return Math.min(lastTop(geometry), Math.max(0, top))
}

/** The scroll offset for a top row; the inverse of `topAt`. */
export function offsetOf(top: number, geometry: TallGeometry): number {
  const exact = geometry.rows * geometry.rowHeight <= TALLEST
  if (exact) return top * geometry.rowHeight
  const last = lastTop(geometry)
  return last === 0 ? 0 : (top / last) * (heightOf(geometry) - geometry.room)
}

/** The top row that brings this row into view with the least scrolling. */
export function topShowing(row: number, top: number, geometry: TallGeometry): number {
  const wanted = row < top ? row : Math.max(top, row - fittingRows(geometry) + 1)
  return Math.min(lastTop(geometry), Math.max(0, wanted))
}

import { type Cells, cellText } from './parse.ts'

/** Number of rows that determine the column widths. */
const SAMPLE = 200
/** CSS pixels. */
const LETTER = 9
const PADDING = 24
const NARROWEST = 64
const WIDEST = 320

/** Offset of each column, in CSS pixels from the first, and finally the end of the last one. */
export function columnStarts(text: string, cells: Cells): Float64Array {
  const starts = new Float64Array(cells.columns + 1)
  const rows = Math.min(SAMPLE, cells.rows.length - 1)
  for (let column = 0; column < cells.columns; column += 1) {
    let longest = 0
    for (let row = 0; row < rows && longest < WIDEST; row += 1) {
      longest = Math.max(longest, cellText(text, cells, row, column).length)
    }
    const width = Math.min(WIDEST, Math.max(NARROWEST, longest * LETTER + PADDING))
    starts[column + 1] = (starts[column] ?? 0) + width
  }
  return starts
}

/** The columns in view: first, and last exclusive. */
export function columnsIn(starts: Float64Array, from: number, to: number): { first: number; end: number } {
  const columns = starts.length - 1
  let first = 0
  while (first < columns - 1 && (starts[first + 1] ?? 0) <= from) first += 1
  let end = first
  while (end < columns && (starts[end] ?? 0) < to) end += 1
  return { first, end }
}

/** `A`, `B`, … `Z`, `AA`: the name of a column. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(0x41 + (column % 26))
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter
}

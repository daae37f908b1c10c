/** Maximum number of cells; the rest is left out. */
export const MAX_CELLS = 1_000_000

/** Delimiters to detect, likeliest first. */
const SEPARATORS = [',', ';', '\t', '|'] as const
/** Number of characters read to detect the delimiter. */
const SAMPLE = 64 * 1024

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d

/** The positions of a table's cells in its text (RFC 4180, with any delimiter). */
export interface Cells {
  /** Start and end of each cell in UTF-16 code units, quotes included. */
  ends: Uint32Array<ArrayBuffer>
  /** Index of the first cell of each row, and finally the number of all cells. */
  rows: Uint32Array<ArrayBuffer>
  /** Cells of the longest row. */
  columns: number
  /** Whether cells were left out. */
  cut: boolean
}

/** A table to show. */
export interface Table {
  text: string
  cells: Cells
  /** Whether the file holds more than is shown. */
  cut: boolean
}

/** A growing array of integers. */
export class Numbers {
  #values = new Uint32Array(1024)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.length] = value
    this.length += 1
  }

  taken(): Uint32Array<ArrayBuffer> {
    return this.#values.slice(0, this.length)
  }
}

/** Parses a table. @param separator between cells, one character */
export function parseCells(text: string, separator = separatorOf(text), most = MAX_CELLS): Cells {
  const ends = new Numbers()
  const rows = new Numbers()
  const parting = separator.charCodeAt(0)
  let columns = 0
  let at = 0
  while (at < text.length && ends.length < most * 2) {
    const first = ends.length / 2
    rows.push(first)
    for (;;) {
      const end = endOfCell(text, at, parting)
      ends.push(at)
      ends.push(end)
      at = end + 1
      if (text.charCodeAt(end) !== parting || ends.length >= most * 2) {
        if (text.charCodeAt(end) === CR && text.charCodeAt(at) === LF) at += 1
        break
      }
    }
    columns = Math.max(columns, ends.length / 2 - first)
  }
  rows.push(ends.length / 2)
  return { ends: ends.taken(), rows: rows.taken(), columns, cut: at < text.length }
}

/** Offset of a cell's end: a delimiter, a line end, or the end of the text. */
function endOfCell(text: string, start: number, parting: number): number {
  let at = text.charCodeAt(start) === QUOTE ? afterQuotes(text, start) : start
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === parting || code === LF || code === CR) return at
  }
  return text.length
}

function afterQuotes(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text.charCodeAt(at + 1) !== QUOTE) return at + 1
  }
  // An unterminated quote is literal: the rest of the table must not become one cell.
  return start
}

/** The text of a cell, unquoted. `''` where a row is shorter. */
export function cellText(text: string, { ends, rows }: Cells, row: number, column: number): string {
  const cell = (rows[row] ?? 0) + column
  if (cell >= (rows[row + 1] ?? 0)) return ''
  const raw = text.slice(ends[cell * 2], ends[cell * 2 + 1])
  return raw.length > 1 && raw.startsWith('"') && raw.endsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw
}

/** The delimiter that splits the first rows into the most cells consistently. */
export function separatorOf(text: string): string {
  const sample = text.slice(0, SAMPLE)
  const scores = SEPARATORS.map(separator => ({ separator, score: scoreOf(sample, separator) }))
  return scores.reduce((best, one) => (one.score > best.score ? one : best)).separator
}

/** The rows' number of cells, and how consistent it is. */
function scoreOf(sample: string, separator: string): number {
  const { rows } = parseCells(sample, separator, 5000)
  const lengths = Array.from(rows.subarray(0, -1), (first, row) => (rows[row + 1] ?? first) - first).slice(0, 50)
  const first = lengths[0] ?? 1
  const alike = lengths.filter(length => length === first).length
  return first < 2 ? 0 : (alike / lengths.length) * 100 + first
}

import { Numbers, type Table } from '../table/parse.ts'

/** Maximum in a workbook (ECMA-376 part 1, 18.3.1.73). */
const MAX_ROWS = 1_048_576
const MAX_COLUMNS = 16_384

/** Builds a table of sparse cells that arrive in order. */
export class TableWriter {
  #pieces: string[] = []
  #length = 0
  #ends = new Numbers()
  #rows = new Numbers()
  #columns = 0
  #column = 0
  #most: number
  /** Whether the maximum number of cells is reached. */
  full = false

  /**
   * @param most maximum number of cells
   */
  constructor(most: number) {
    this.#most = most
    this.full = most <= 0
  }

  /** Starts a row. @param number from 1; the next row if invalid */
  row(number: number): void {
    const wanted = number >= 1 && number <= MAX_ROWS ? number : this.#rows.length + 1
    while (this.#rows.length < wanted) this.#rows.push(this.#ends.length / 2)
    this.#column = 0
  }

  /** Adds a cell. @param address such as `AB12`; the next cell if invalid */
  cell(address: string | undefined, value: string): void {
    if (this.#rows.length === 0) this.row(1)
    const column = columnOf(address) ?? this.#column
    while (this.#column < column && !this.full) this.#add('')
    if (this.#column === column && !this.full) this.#add(value)
  }

  table(): Table {
    this.#rows.push(this.#ends.length / 2)
    const cells = { ends: this.#ends.taken(), rows: this.#rows.taken(), columns: this.#columns, cut: this.full }
    return { text: this.#pieces.join(''), cells, cut: this.full }
  }

  #add(value: string): void {
    // Here quotes around a cell are part of it, whereas in delimited text they delimit it.
    const written = value.startsWith('"') && value.endsWith('"') ? `"${value.replaceAll('"', '""')}"` : value
    this.#ends.push(this.#length)
    this.#pieces.push(written)
    this.#length += written.length
    this.#ends.push(this.#length)
    this.#column += 1
    this.#columns = Math.max(this.#columns, this.#column)
    this.full = this.#ends.length >= this.#most * 2
  }
}

/** The column of an address, from 0. */
function columnOf(address: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(address ?? '')?.[0]
  if (letters === undefined) return undefined
  const number = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 0x40, 0)
  return number <= MAX_COLUMNS ? number - 1 : undefined
}

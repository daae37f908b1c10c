/** Beginnings with which a spreadsheet takes a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/
/** A cell, in quotes or not, and what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g

/**
 * One line of CSV (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe in front.
 */
export function csvLine(cells: readonly (string | number | boolean | undefined)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(cell: string | number | boolean | undefined = ''): string {
  const text = String(cell)
  const safe = typeof cell === 'string' && FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The cells of each line of such a text, without the apostrophes; empty lines are left out. */
export function csvCells(text: string): string[][] {
  const lines: string[][] = []
  let cells: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(CELL)) {
    cells.push((quoted?.replaceAll('""', '"') ?? plain).replace(/^'(?=[=+\-@\t\r])/, ''))
    if (end === ',') continue
    if (cells.length > 1 || cells[0] !== '') lines.push(cells)
    cells = []
  }
  return lines
}

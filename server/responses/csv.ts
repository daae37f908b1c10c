/** Beginnings with which a spreadsheet takes a cell for a formula. */
const FORMULA = /^[=+\-@\t\r]/

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

import { shownName } from '../../shared/bytes.ts'

/** Prints a table in columns. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [headings, ...rows]
  const widths = headings.map((_heading, column) => Math.max(...all.map(row => (row[column] ?? '').length)))
  for (const row of all) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

/** Makes untrusted text safe for a terminal: control characters and bytes that are not UTF-8 are escaped. */
export const printable = (text: string): string =>
  shownName(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, found => `\\u{${found.codePointAt(0)?.toString(16)}}`)

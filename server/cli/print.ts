import { shownName } from '../../shared/bytes.ts'

/** Prints rows under their headings, in columns. */
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

/** Text of others on a console: control characters and bytes that are not UTF-8 are shown, not obeyed. */
export const printable = (text: string): string =>
  shownName(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, found => `\\u{${found.codePointAt(0)?.toString(16)}}`)

/** Placeholder of a byte that is not printable ASCII. */
const NO_LETTER = '·'

/** Bytes per row that fit into a width in CSS pixels. */
export function bytesPerRow(width: number): number {
  return width >= 640 ? 16 : width >= 360 ? 8 : 4
}

/** An offset as shown in front of a row. @param size of the file, which determines the number of digits */
export function offsetText(offset: number, size: number): string {
  return offset.toString(16).padStart(Math.max(8, (size - 1).toString(16).length), '0')
}

/** A byte as two digits; blanks until it has loaded. */
export function byteText(byte: number | undefined): string {
  return byte === undefined ? '  ' : byte.toString(16).padStart(2, '0')
}

/** A row of bytes as digits, split in the middle. */
export function hexText(bytes: readonly (number | undefined)[]): string {
  const half = bytes.length / 2
  return bytes.map((byte, index) => (index > 0 && index === half ? ' ' : '') + byteText(byte)).join(' ')
}

/** A row of bytes as characters. */
export function letters(bytes: readonly (number | undefined)[]): string {
  return bytes.map(letterOf).join('')
}

function letterOf(byte: number | undefined): string {
  if (byte === undefined) return ' '
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : NO_LETTER
}

/** Parses an offset from user input: `1f0`, `0x1F0`. `undefined` when invalid. */
export function parseOffset(text: string): number | undefined {
  const digits = /^\s*(?:0x)?([\da-f]{1,13})\s*$/i.exec(text)?.[1]
  return digits === undefined ? undefined : Number.parseInt(digits, 16)
}

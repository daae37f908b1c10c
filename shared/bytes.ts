/**
 * File names are bytes, not necessarily UTF-8. Here a name is a string that represents its bytes exactly: valid UTF-8
 * (RFC 3629) reads as it is, and every byte that is not part of it is carried by a lone surrogate, U+DC80 for 0x80 to
 * U+DCFF for 0xFF, which no valid text contains. JSON preserves such a string, URLs carry its bytes (`encodeName`),
 * `shownName` makes it displayable.
 */

/** Added to a byte that is not UTF-8. */
const CARRIED = 0xdc00
const FIRST_CARRIED = 0xdc80
const LAST_CARRIED = 0xdcff
/** With the `u` flag a surrogate that is half of a pair does not match. */
const CARRIED_BYTES = /[\udc80-\udcff]/gu

/** Smallest code point that needs as many bytes as its index. */
const SMALLEST = [0, 0, 0x80, 0x800, 0x10000]
const LAST_POINT = 0x10ffff
const BEYOND_ASCII = /[^\0-\x7f]/

/** The string that represents these bytes; the inverse of `bytesOf`. */
export function textOf(bytes: ArrayLike<number>): string {
  let text = ''
  for (let at = 0; at < bytes.length; ) {
    const point = pointAt(bytes, at) ?? CARRIED + (bytes[at] ?? 0)
    text += String.fromCodePoint(point)
    at += widthOf(point)
  }
  return text
}

/** The bytes that a string represents. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  if (!BEYOND_ASCII.test(text)) return asciiOf(text)
  const bytes = new Uint8Array(byteLength(text))
  let at = 0
  for (const char of text) {
    let rest = char.codePointAt(0) ?? 0
    const width = widthOf(rest)
    for (let tail = at + width - 1; tail > at; tail--, rest >>= 6) bytes[tail] = 0x80 | (rest & 0x3f)
    bytes[at] = width === 1 ? rest : (0xf00 >> width) | rest
    at += width
  }
  return bytes
}

/** Most names are ASCII, for which a plain loop is a tenth of the work. */
function asciiOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at)
  return bytes
}

/** The number of bytes that a string represents. */
export function byteLength(text: string): number {
  if (!BEYOND_ASCII.test(text)) return text.length
  let bytes = 0
  for (const char of text) bytes += widthOf(char.codePointAt(0) ?? 0)
  return bytes
}

/** Whether a string is the canonical one for its bytes: any other would be a second name of the same file. */
export function saysItsBytes(text: string): boolean {
  return text.isWellFormed() || textOf(bytesOf(text)) === text
}

/**
 * Characters that are invisible, break lines or change the direction of what follows: controls, U+2028, U+202A…E, and
 * zero-width ones that make two names look alike. Joiners are kept: Persian and emoji are written with them.
 */
const UNSEEN = /[\p{Cc}\u00ad\u200b\u2028-\u202e\u2060-\u2064\ufeff]/gu
/** Unicode's symbols for the control characters below U+0020, in their order. */
const PICTURES = 0x2400
const DELETE = '\x7f'
const DELETE_PICTURE = '\u2421'

/**
 * A displayable name, always on one line: a byte that is not UTF-8 as `\xE9`, a line break as `␊`, further invisible
 * characters as `\u202E`.
 */
export function shownName(name: string): string {
  const seen = name.replace(UNSEEN, pictureOf)
  return seen.isWellFormed() ? seen : seen.replace(CARRIED_BYTES, char => `\\x${hexOf(char)}`)
}

function pictureOf(char: string): string {
  if (char === DELETE) return DELETE_PICTURE
  const unit = char.charCodeAt(0)
  if (unit < 0x20) return String.fromCharCode(PICTURES + unit)
  return `\\u${unit.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Percent-encodes a name for a URL, byte by byte where it is not UTF-8 (RFC 3986 section 2.1). */
export function encodeName(name: string): string {
  if (name.isWellFormed()) return encodeURIComponent(name)
  return Array.from(name, char => (isCarried(char) ? `%${hexOf(char)}` : encodeURIComponent(char))).join('')
}

/** Percent-decodes once, to bytes; `undefined` for an invalid escape. */
export function decodeEscapes(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return /%(?![0-9a-f]{2})/i.test(encoded) ? undefined : decodeBytes(encoded)
  }
}

/** Replaces `%` and every byte that is not UTF-8 by an escape; reversed by `decodeEscapes`. */
export function escapeBytes(text: string): string {
  return text.replaceAll('%', '%25').replace(CARRIED_BYTES, char => `%${hexOf(char)}`)
}

function decodeBytes(encoded: string): string {
  const bytes: number[] = []
  for (const [piece, hex] of encoded.matchAll(/%([0-9a-f]{2})|[^%]+/gi)) {
    if (hex === undefined) for (const byte of bytesOf(piece)) bytes.push(byte)
    else bytes.push(Number.parseInt(hex, 16))
  }
  return textOf(bytes)
}

/** The code point whose bytes start here; `undefined` if they are not UTF-8 (RFC 3629 section 3). */
function pointAt(bytes: ArrayLike<number>, at: number): number | undefined {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return lead
  const width = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
  if (lead < 0xc2 || lead > 0xf4 || at + width > bytes.length) return undefined
  let point = lead & (0x7f >> width)
  for (let tail = at + 1; tail < at + width; tail++) {
    const byte = bytes[tail] ?? 0
    if ((byte & 0xc0) !== 0x80) return undefined
    point = (point << 6) | (byte & 0x3f)
  }
  const isPoint = point >= (SMALLEST[width] ?? 0) && point <= LAST_POINT && (point < 0xd800 || point > 0xdfff)
  return isPoint ? point : undefined
}

/** Bytes of a code point, or the single byte that it carries. */
function widthOf(point: number): number {
  if (point < 0x80 || (point >= FIRST_CARRIED && point <= LAST_CARRIED)) return 1
  return point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
}

function isCarried(char: string): boolean {
  const unit = char.charCodeAt(0)
  return char.length === 1 && unit >= FIRST_CARRIED && unit <= LAST_CARRIED
}

const hexOf = (carried: string) => (carried.charCodeAt(0) - CARRIED).toString(16).toUpperCase()

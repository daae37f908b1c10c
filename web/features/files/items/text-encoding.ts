/** The line endings of a file. `mixed` ones are preserved one by one. */
export type LineEnd = 'LF' | 'CRLF' | 'CR' | 'mixed'

/** The encoding of a text, by display name. */
export const ENCODINGS = ['UTF-8', 'UTF-8 BOM', 'UTF-16 LE', 'UTF-16 BE', 'Windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** What is needed to encode a text as it was. */
export interface TextFormat {
  encoding: Encoding
  lineEnd: LineEnd
}

export interface DecodedText extends TextFormat {
  /** Lines end with LF; with mixed endings, a CR before it belongs to its line. Without a byte order mark. */
  text: string
  /** Whether every byte is represented in `text`; saving it would corrupt the file otherwise. */
  exact: boolean
}

/** A character that an encoding lacks. */
export class EncodingError extends Error {
  constructor() {
    super('not in this encoding')
    this.name = 'EncodingError'
  }
}

/** Byte order marks (Unicode Standard, 23.8), and the labels of the Encoding Standard. */
const MARKED: readonly { encoding: Encoding; mark: readonly number[]; label: string }[] = [
  { encoding: 'UTF-8 BOM', mark: [0xef, 0xbb, 0xbf], label: 'utf-8' },
  { encoding: 'UTF-16 LE', mark: [0xff, 0xfe], label: 'utf-16le' },
  { encoding: 'UTF-16 BE', mark: [0xfe, 0xff], label: 'utf-16be' },
]

/**
 * Decodes bytes: by their byte order mark, as UTF-8, or, where they are not UTF-8, in Windows-1252, which maps every
 * byte (and is how the Encoding Standard decodes Latin-1).
 * @param cut whether more bytes follow, so that the last character may be torn
 */
export function decodeText(bytes: Uint8Array, cut = false): DecodedText {
  const { text, ...rest } = decodeLetters(bytes, cut)
  const lineEnd = lineEndOf(text)
  return { ...rest, lineEnd, text: lineEnd === 'CRLF' || lineEnd === 'CR' ? text.replace(/\r\n?/g, '\n') : text }
}

function decodeLetters(bytes: Uint8Array, cut: boolean): Omit<DecodedText, 'lineEnd'> {
  const marked = MARKED.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte))
  const text = decodeExactly(bytes, marked?.label ?? 'utf-8', cut)
  const encoding = marked?.encoding ?? 'UTF-8'
  // Data with NUL bytes is not text, even if it decodes.
  if (text !== undefined) return { text, encoding, exact: !text.includes('\0') }
  if (marked) return { text: new TextDecoder(marked.label).decode(bytes), encoding, exact: false }
  return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252', exact: !bytes.includes(0) }
}

function decodeExactly(bytes: Uint8Array, label: string, cut: boolean): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes, { stream: cut })
  } catch {
    return undefined
  }
}

function lineEndOf(text: string): LineEnd {
  if (!text.includes('\r')) return 'LF'
  const crlf = text.includes('\r\n')
  const cr = /\r(?!\n)/.test(text)
  const lf = /(?<!\r)\n/.test(text)
  if (crlf) return cr || lf ? 'mixed' : 'CRLF'
  return lf ? 'mixed' : 'CR'
}

/**
 * Encodes a text as `decodeText` read it.
 * @throws EncodingError when the encoding lacks one of its characters
 */
export function encodeText(text: string, { encoding, lineEnd }: TextFormat): Uint8Array<ArrayBuffer> {
  const written =
    lineEnd === 'CRLF' ? text.replaceAll('\n', '\r\n') : lineEnd === 'CR' ? text.replaceAll('\n', '\r') : text
  if (encoding === 'Windows-1252') return inWindows1252(written)
  if (encoding === 'UTF-8') return inUtf8(written)
  return encoding === 'UTF-8 BOM' ? inUtf8(`\uFEFF${written}`) : inUtf16(`\uFEFF${written}`, encoding === 'UTF-16 LE')
}

/** An unpaired surrogate would silently become another character. */
function inUtf8(text: string): Uint8Array<ArrayBuffer> {
  if (!text.isWellFormed()) throw new EncodingError()
  return new TextEncoder().encode(text)
}

function inUtf16(text: string, littleEndian: boolean): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), littleEndian)
  return new Uint8Array(view.buffer)
}

let byLetter: ReadonlyMap<string, number> | undefined

function inWindows1252(text: string): Uint8Array<ArrayBuffer> {
  byLetter ??= new Map(
    [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].map(
      (letter, byte) => [letter, byte],
    ),
  )
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at += 1) {
    const byte = byLetter.get(text.charAt(at))
    if (byte === undefined) throw new EncodingError()
    bytes[at] = byte
  }
  return bytes
}

import { ApiError, api } from '../../../lib/api.ts'
import { rawPath } from '../../../lib/resource.ts'

/** How lines end in a file. */
export type LineEnd = 'LF' | 'CRLF' | 'mixed'

/** The text of a file with what is needed to save it again as it was. */
export interface LoadedText {
  /** Lines end with LF only. */
  text: string
  lineEnd: LineEnd
  /** The file's ETag. */
  version: string
  /** Whether every byte is in `text`; saving it would damage the file otherwise. */
  exact: boolean
}

/** `GET /api/raw/{path}` (contract 5), which tells the version along with the bytes. @throws ApiError */
export async function loadText(path: string, signal: AbortSignal): Promise<LoadedText> {
  const response = await api(rawPath(path, true), { signal })
  // Without the right to download the answer is 202, and empty.
  if (response.status !== 200) throw new ApiError(403, 'forbidden')
  return { ...decodeText(await response.arrayBuffer()), version: response.headers.get('ETag') ?? '' }
}

/** Bytes as text with plain line ends. A byte order mark stays in it. */
export function decodeText(bytes: ArrayBuffer): Pick<LoadedText, 'text' | 'lineEnd' | 'exact'> {
  const { text, exact } = decode(bytes)
  return { text: text.replace(/\r\n?/g, '\n'), lineEnd: lineEndOf(text), exact }
}

function decode(bytes: ArrayBuffer): { text: string; exact: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), exact: true }
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), exact: false }
  }
}

function lineEndOf(text: string): LineEnd {
  const crlf = /\r\n/.test(text)
  const others = /(?:^|[^\r])\n|\r(?!\n)/.test(text)
  if (crlf) return others ? 'mixed' : 'CRLF'
  return text.includes('\r') ? 'mixed' : 'LF'
}

/** The text as it is saved. Mixed line ends become LF. */
export function withLineEnds(text: string, lineEnd: LineEnd): string {
  return lineEnd === 'CRLF' ? text.replaceAll('\n', '\r\n') : text
}
